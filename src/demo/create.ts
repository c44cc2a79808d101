import { endpoints } from '../app.ts';
import type { AnyEndpoint, HandlerContext } from '../http/endpoint.ts';
import { readInput, resolveInput } from '../http/input.ts';
import { type Spoken, tellingsOf, type Wording } from './words.ts';

type Answer = Readonly<Record<string, unknown>>;

/** Does what a request that creates a record does, once it has arrived and its sender is known; gives the answer. */
export const answerOf = (resource: string, fields: object, call: HandlerContext): Promise<Answer> =>
  perform(endpointOf(resource, 'create'), fields, call);

export type Action = 'create' | 'update';

/** What is said of a record in each language, and what is the same in all of them. */
interface Draft {
  words: Spoken<Wording>;
  fields: object;
  /** Fields that each write of it needs besides. */
  claim?: (action: Action) => Promise<object>;
}

/** Creates a record, which is answered with its id, in every language of the site that it has words in; gives the id. */
export async function create(resource: string, draft: Draft, call: HandlerContext): Promise<number> {
  const { words, fields, claim } = draft;
  const [first, ...others] = tellingsOf(words, call.context.config.languages);
  const whole = { ...fields, ...first.wording, ...(await claim?.('create')) };
  const { id } = await answerOf(resource, whole, inLanguage(call, first.language));
  for (const { language, wording } of others)
    await translateRecord(resource, { id, ...wording, ...(await claim?.('update')) }, inLanguage(call, language));
  return Number(id);
}

const inLanguage = (call: HandlerContext, language: string): HandlerContext => ({
  ...call,
  language,
  askedLanguage: language,
});

/** Writes words in the language of the call to a record that there is in another. */
async function translateRecord(resource: string, fields: object, call: HandlerContext): Promise<void> {
  await perform(endpointOf(resource, 'update'), fields, call);
}

function endpointOf(resource: string, action: Action): AnyEndpoint {
  const endpoint = endpoints.find(({ name }) => name === `${resource}.${action}`);
  if (!endpoint) throw new Error(`no endpoint is named ${resource}.${action}`);
  return endpoint;
}

async function perform(endpoint: AnyEndpoint, fields: object, call: HandlerContext): Promise<Answer> {
  const sent = new Map(Object.entries(fields).filter(([, value]) => value !== undefined));
  const checked = readInput(endpoint.input, endpoint.required ?? [], sent);
  const target = await resolveInput(checked, endpoint.find, call);
  const { body } = await endpoint.handle(call, checked.input, target);
  // What writes a record answers with an object.
  return body as Answer;
}
