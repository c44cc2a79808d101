import { withPresentChoices } from '../../base/site-config.ts';
import { can } from '../../http/core/auth.ts';
import { ANY_TIME, endpoint, ok } from '../../http/core/endpoint.ts';
import { ApiError } from '../../http/core/errors.ts';
import { findImages } from '../media/images.ts';
import { siteFields } from './fields.ts';
import { changeSite } from './save.ts';
import { fixedSettings, VARIABLES } from './settings.ts';
import { renderSite, siteSchema } from './view.ts';

const read = endpoint({
  namespace: 'admin',
  methods: ['GET'],
  path: '/site',
  name: 'site.read',
  summary: 'Read the settings of the site',
  description:
    'Public. Texts are in the language of the request; a missing text is in the first language that has one.',
  input: {},
  responses: { 200: siteSchema },
  errors: [],
  async handle(ctx) {
    const body = await renderSite(ctx);
    return { body, revision: body.revision, freshUntil: ANY_TIME };
  },
});

const update = endpoint({
  namespace: 'admin',
  methods: ['POST', 'PUT', 'PATCH'],
  path: '/site',
  name: 'site.update',
  summary: 'Change the settings of the site',
  description:
    'Omitted fields keep their values. Texts are written in the language of `i18n_language`, by default the first one. Settings in `fixed` are refused.',
  input: siteFields,
  body: 'SiteChange',
  responses: { 200: siteSchema },
  errors: ['rest_forbidden', 'site-setting-fixed', 'edit-conflict'],
  async find({ logo }, { context, viewer }, addProblem) {
    // Other viewers must not learn which images exist.
    if (!logo || !can(viewer, 'manage_site')) return;
    if (!(await findImages(context.db, [logo])).has(logo)) addProblem('logo', { key: 'param.image_unknown' });
  },
  may: (viewer) => can(viewer, 'manage_site'),
  async handle(ctx, input) {
    const refused = fixedSettings(ctx.context.config).filter((setting) => input[setting] !== undefined);
    if (refused.length > 0) {
      const variables = refused.map((setting) => VARIABLES[setting]).join(', ');
      throw new ApiError('site-setting-fixed', { values: { settings: refused.join(', '), variables } });
    }
    await changeSite(input, ctx);
    return ok(await renderSite({ ...ctx, context: await withPresentChoices(ctx.context) }));
  },
  showCurrent: renderSite,
});

export const siteEndpoints = [read, update];
