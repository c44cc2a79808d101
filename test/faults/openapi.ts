import fc from 'fast-check';
import { wholeDocument } from '../document.ts';
import { attend, checkout, hold, openTicket } from '../race-actions.ts';
import { createResponseChecker } from '../response-checker.ts';
import { ADMIN_HEADER, DATABASES } from '../server.ts';
import { crowd } from '../two-servers.ts';
import { aftermath } from './aftermath.ts';
import { type Part, type Setup, Tally } from './part.ts';
import { operationsOf, requestOf, type SentRequest } from './schema-requests.ts';
import { memoryOf, type Site, withSite } from './site.ts';

const document = wholeDocument();
const checker = createResponseChecker(document);

/** Fixed, so that failures are reproducible. */
const SEED = 20_261_122;
const CALLERS = 8;
/** Maximum number of problems of each kind, so that one fault does not fill the report. */
const REPORTED = 10;

async function run({ kind, postgresUrl, isShort }: Setup) {
  const numRuns = isShort ? 400 : 20_000;
  const sent = fc.sample(requestOf(operationsOf(document)), { numRuns, seed: SEED });
  return withSite({ kind, postgresUrl, isPatient: isShort }, async (site) => {
    await populate(site);
    const memoryBefore = memoryOf(site);
    const statuses = new Tally();
    const problems: string[] = [];
    await crowd(sent.length, CALLERS, async (index) => {
      const request = sent[index];
      if (!request) return;
      const { status, problem } = await send(site, request).catch((error) => ({ status: 'none', problem: `${error}` }));
      statuses.add(status);
      if (problem && problems.length < REPORTED)
        problems.push(`${request.method} ${request.path}: ${problem} ${said(request)}`);
    });
    problems.push(...(await aftermath(site, { memoryBefore: memoryBefore + 100 })));
    return { did: `${numRuns} requests from the schemas`, figures: { responses: String(statuses) }, problems };
  });
}

const said = ({ as, body }: SentRequest): string => `(as ${as}) ${JSON.stringify(body)?.slice(0, 300) ?? ''}`;

/** A few records of each kind, with the small ids that the requests use. */
async function populate({ ask }: Site): Promise<void> {
  for (let index = 0; index < 4; index += 1) {
    const body = {
      ...{ title: `Walk ${index}`, start_date: '2037-03-06 18:30:00', end_date: '2037-03-06 21:00:00' },
      ...{
        venue: { venue: `Hall ${index}` },
        organizer: { organizer: 'Club' },
        categories: ['Walks'],
        tags: ['family'],
      },
    };
    const event = (await ask('POST events:/events', { body })).body.id;
    const ticket = await openTicket({ ask }, event, { mode: 'own', capacity: 50 });
    await attend({ ask }, ticket, index);
    await checkout({ ask }, await hold({ ask }, ticket));
  }
}

async function send({ addresses }: Site, { as, method, template, path, body }: SentRequest) {
  const response = await fetch(`${addresses[0]}${path}`, {
    method,
    redirect: 'manual',
    headers: {
      ...(as === 'administrator' && { authorization: ADMIN_HEADER }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(30_000),
  });
  const text = await response.text();
  const { status, headers } = response;
  if (status >= 500) return { status, problem: `answered ${status} ${text.slice(0, 300)}` };
  const [problem] = checker.problemsOf(method, template, { status, headers, text });
  return { status, problem: problem && `answered ${status} against the document: ${problem} in ${text.slice(0, 300)}` };
}

export const openapi: Part = {
  name: 'openapi',
  about:
    'Requests made from the OpenAPI document, right, nearly right and wrong: never 5xx, and every answer is as it says.',
  databases: DATABASES,
  usual: 'postgres',
  run,
};
