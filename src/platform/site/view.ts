import { z } from 'zod';
import { can, isRole, ROLE_NAMES } from '../../http/core/auth.ts';
import type { RequestContext } from '../../http/core/endpoint.ts';
import { link } from '../../http/output/output.ts';
import { COLOR_NAMES, type ColorName } from '../../lib/theme.ts';
import { imageSchema, renderImage } from '../media/images.ts';
import { translationsSchema } from '../translations/rules.ts';
import { GATEWAYS, missingSettings } from './payment-gateways.ts';
import { findSiteTranslations, getSite, VARIABLES } from './settings.ts';

const html = z.string().describe('HTML; empty if the site has no such text.');
const color = z.string().regex(/^#[0-9a-f]{6}$/);

/** The type of each colour. */
const colorShape = Object.fromEntries(COLOR_NAMES.map((name) => [name, color])) as Record<ColorName, typeof color>;

export const siteSchema = z
  .object({
    revision: z.int().describe('Incremented by every change.'),
    url: link,
    name: z.string(),
    tagline: z.string(),
    about: html,
    terms: html,
    privacy: html,
    refunds: html,
    logo: imageSchema.nullable(),
    colors: z.object(colorShape).meta({
      id: 'SiteColors',
      description:
        'Colours of the pages in the light and the dark scheme, from which all others are derived: `paper` and `panel` behind the text (`ink`), links and buttons (`accent`); `sign` behind the name (`lamp`).',
    }),
    contact: z
      .object({ email: z.string(), phone: z.string(), address: z.string() })
      .meta({ id: 'SiteContact', description: 'Contact details of the site. The address has lines of plain text.' }),
    legal_links: z.array(z.object({ label: z.string(), url: link }).meta({ id: 'LegalLink' })),
    cancellation: z.object({ rule: z.enum(['never', 'free', 'until']), hours_before: z.int().nullable() }).meta({
      id: 'CancellationRule',
      description:
        'When customers may cancel paid or free orders: `never`; `free`: only free orders, until the event starts; `until`: up to `hours_before` the start. They may always cancel pending orders.',
    }),
    payment_ways: z.array(
      z
        .object({
          id: z.string(),
          name: z.string(),
          text: z.string(),
          at_door: z
            .boolean()
            .describe('Whether it is paid at the door: tickets have codes, which admit once the order is paid.'),
          hold_hours: z
            .int()
            .nullable()
            .describe(
              'Hours that an unpaid order keeps its places; 0 for no limit, null for the setting of the server. With `at_door`: hours before the start of the event until which it keeps them; null until the event ends.',
            ),
          gateway: z
            .enum(GATEWAYS)
            .describe('How the money arrives: booked by staff, or the payment service that takes it.'),
          available: z
            .boolean()
            .describe('Whether checkouts offer it: false if the server lacks the settings of its gateway.'),
        })
        .meta({ id: 'PaymentWay', description: 'Payment method; `text` holds instructions for the customer.' }),
    ),
    address_words: z.array(
      z
        .object({ from: z.string(), to: z.string() })
        .meta({ id: 'AddressWord', description: 'Beginning of former paths, and of those they redirect to.' }),
    ),
    collapse_series: z.boolean().describe('Whether public lists have each series once, by its next event.'),
    sends_reminders: z.boolean().describe('Whether holders of tickets are reminded of events by mail, the day before.'),
    accepts_donations: z.boolean().describe('Whether customers may donate beside their tickets.'),
    donation_amounts: z.array(z.int()).describe('Suggested donations, in the smallest unit of the currency.'),
    languages: z.array(z.string()).describe('The first one is the language of the records themselves.'),
    timezone: z.string(),
    currency: z.string(),
    currency_symbol: z.string(),
    fixed: z
      .array(z.enum(Object.keys(VARIABLES) as [string, ...string[]]))
      .describe('Settings fixed by the environment of the server.'),
    invoices: z.boolean().describe('Whether orders get invoices, which may name a company (`MARQUEE_INVOICES`).'),
    seller: z
      .object({
        name: z.string(),
        address: z.string(),
        vat_number: z.string(),
        note: z.string(),
        prefix: z.string().describe('Beginning of the numbers of invoices.'),
      })
      .meta({ id: 'Seller', description: 'Seller on invoices; empty texts for defaults.' })
      .optional()
      .describe('Only shown to users with `manage_site`.'),
    sends_mail: z.boolean().describe('Whether the server sends mails (`MARQUEE_SMTP_URL`).'),
    second_factor_roles: z
      .array(z.enum(ROLE_NAMES))
      .optional()
      .describe('Roles that require a second factor; only shown to users with `manage_site`.'),
    gateways: z
      .array(
        z
          .object({
            id: z.enum(GATEWAYS),
            missing: z.array(z.string()).describe('Variables that the server lacks for it.'),
          })
          .meta({ id: 'PaymentGateway' }),
      )
      .optional()
      .describe('Gateways for payment methods; only shown to users with `manage_site`.'),
    translations: translationsSchema.optional(),
  })
  .meta({ id: 'Site', description: 'Settings of the site, with its texts in the language of the request.' });

/** The settings of the site in the language of a request. */
export async function renderSite(ctx: RequestContext): Promise<z.output<typeof siteSchema>> {
  const { context, urls, viewer, language } = ctx;
  const {
    logo,
    cancellation,
    revision,
    theme: _theme,
    second_factor_roles,
    seller,
    ...site
  } = await getSite(context, language);
  return {
    revision,
    url: urls.page('/'),
    ...site,
    logo: logo && renderImage(logo, urls),
    cancellation: { hours_before: null, ...cancellation },
    legal_links: [...site.legal_links],
    payment_ways: [...site.payment_ways],
    address_words: [...site.address_words],
    donation_amounts: [...site.donation_amounts],
    languages: [...site.languages],
    fixed: [...site.fixed],
    invoices: context.config.invoices !== 'off',
    sends_mail: context.config.smtp !== undefined,
    ...(can(viewer, 'manage_site') && {
      seller: { name: '', address: '', vat_number: '', note: '', prefix: '', ...seller },
      second_factor_roles: second_factor_roles.filter(isRole),
      gateways: GATEWAYS.map((id) => ({ id, missing: missingSettings(context.config, id) })),
      translations: await findSiteTranslations(context),
    }),
  };
}
