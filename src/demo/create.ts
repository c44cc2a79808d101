import { setImmediate as nextTurn } from 'node:timers/promises';
import { callEndpoint } from '../http/pipeline/call.ts';
import { getEndpoint, type InProcessContext } from '../platform/users/in-process-context.ts';
import { type TextFields, type Translations, versionsFor } from './translations.ts';

type Body = Readonly<Record<string, unknown>>;
export type Action = 'create' | 'update';

/** Calls an endpoint of a resource; returns the response. */
export async function callByName(
  [resource, action]: readonly [resource: string, action: string],
  fields: Body,
  ctx: InProcessContext,
): Promise<Body> {
  const endpoint = getEndpoint(ctx, `${resource}.${action}`);
  // On SQLite a transaction would otherwise block the event loop, and a server would not respond.
  await nextTurn();
  const { body } = await callEndpoint(endpoint, ctx, fields);
  // Endpoints that write a record respond with an object.
  return body as Body;
}

/** The texts of a record in each language, and its language-independent fields. */
interface Draft {
  texts: Translations<TextFields>;
  fields: object;
  /** Additional fields for each write, such as a one-time token. */
  claim?: (action: Action) => Promise<object>;
}

/** Creates a record in all languages of the site in which it has texts; returns its id. */
export async function create(resource: string, draft: Draft, ctx: InProcessContext): Promise<number> {
  const { fields, claim } = draft;
  const [first, ...others] = versionsFor(draft.texts, ctx.context.config.languages);
  const whole = { ...fields, ...first.texts, ...(await claim?.('create')) };
  const { id } = await callByName([resource, 'create'], whole, inLanguage(ctx, first.language));
  for (const { language, texts } of others) {
    const translated = { id, ...texts, ...(await claim?.('update')) };
    await callByName([resource, 'update'], translated, inLanguage(ctx, language));
  }
  return Number(id);
}

const inLanguage = (ctx: InProcessContext, language: string): InProcessContext => ({
  ...ctx,
  language,
  askedLanguage: language,
});
