import { endpoints } from '../app.ts';
import type { AnyEndpoint, HandlerContext } from '../http/endpoint.ts';
import { readInput, resolveInput } from '../http/validate.ts';
import { type TextFields, type Translations, versionsFor } from './translations.ts';

type Answer = Readonly<Record<string, unknown>>;

/** Runs the create endpoint of a resource as an authenticated request would; returns the answer. */
export const answerOf = (resource: string, fields: object, ctx: HandlerContext): Promise<Answer> =>
  perform(endpointOf(resource, 'create'), fields, ctx);

export type Action = 'create' | 'update';

/** The texts of a record in each language, and its language-independent fields. */
interface Draft {
  texts: Translations<TextFields>;
  fields: object;
  /** Additional fields for each write, such as a one-time token. */
  claim?: (action: Action) => Promise<object>;
}

/** Creates a record in every language of the site that it has texts in; returns its id. */
export async function create(resource: string, draft: Draft, ctx: HandlerContext): Promise<number> {
  const { fields, claim } = draft;
  const [first, ...others] = versionsFor(draft.texts, ctx.context.config.languages);
  const whole = { ...fields, ...first.texts, ...(await claim?.('create')) };
  const { id } = await answerOf(resource, whole, inLanguage(ctx, first.language));
  for (const { language, texts } of others)
    await translateRecord(resource, { id, ...texts, ...(await claim?.('update')) }, inLanguage(ctx, language));
  return Number(id);
}

const inLanguage = (ctx: HandlerContext, language: string): HandlerContext => ({
  ...ctx,
  language,
  askedLanguage: language,
});

/** Adds the texts of the context's language to a record. */
async function translateRecord(resource: string, fields: object, ctx: HandlerContext): Promise<void> {
  await perform(endpointOf(resource, 'update'), fields, ctx);
}

function endpointOf(resource: string, action: Action): AnyEndpoint {
  const endpoint = endpoints.find(({ name }) => name === `${resource}.${action}`);
  if (!endpoint) throw new Error(`no endpoint is named ${resource}.${action}`);
  return endpoint;
}

async function perform(endpoint: AnyEndpoint, fields: object, ctx: HandlerContext): Promise<Answer> {
  const sent = new Map(Object.entries(fields).filter(([, value]) => value !== undefined));
  const checked = readInput(endpoint.input, endpoint.required ?? [], sent);
  const target = await resolveInput(checked, endpoint.find, ctx);
  const { body } = await endpoint.handle(ctx, checked.input, target);
  // Endpoints that write a record answer with an object.
  return body as Answer;
}
