import { beforeAll, describe, expect, it } from 'vitest';
import { endpoints } from '../src/app.ts';
import type { AnyEndpoint } from '../src/http/core/endpoint.ts';
import { LINKED_KIND_NAMES, LINKED_KINDS } from '../src/lib/linked-kinds.ts';
import { type Everything, makeEverything } from './fixtures.ts';
import { authorised, SAMPLES } from './samples.ts';
import { useTestServer } from './server.ts';
import { usualDatabases } from './thoroughness.ts';

/** Statuses of records without a public page. */
const UNPUBLISHED: ReadonlySet<unknown> = new Set(['draft', 'pending', 'future', 'private', 'trash']);

/** Addresses of the published records in a response. */
function addressesIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(addressesIn);
  if (typeof value !== 'object' || value === null) return [];
  const { url, status, ...others } = value as Record<string, unknown>;
  const own = typeof url === 'string' && !UNPUBLISHED.has(status) ? [url] : [];
  return [...own, ...Object.values(others).flatMap(addressesIn)];
}

/** Members such as `website` name other sites. */
const isOwn = ({ hostname }: URL): boolean => hostname === 'localhost';

const callOf = ({ namespace, methods, path }: AnyEndpoint, values: readonly (string | number)[] = []): string => {
  const given = values.values();
  return `${methods[0]} ${namespace}:${path.replaceAll(/\{\w+\}/g, () => String(given.next().value))}`;
};

/** Minimum number of addresses, far below the number in the samples. */
const MANY = 30;

describe.each(usualDatabases)('the address of a record on %s', (kind) => {
  const server = useTestServer(kind);
  const seen = new Set<string>();
  let world: Everything;
  beforeAll(async () => {
    world = await makeEverything(server());
  });

  /** Status of each address on this site for a visitor. */
  async function statusesOf(addresses: readonly string[]): Promise<Record<string, number>> {
    const own = [...new Set(addresses)].flatMap((address) => URL.parse(address) ?? []);
    const statuses = own.filter(isOwn).map(async ({ href, pathname, search }) => {
      seen.add(href);
      const { status } = await server().request(`${pathname}${search}`, { headers: { accept: 'text/html' } });
      return [href, status] as const;
    });
    return Object.fromEntries(await Promise.all(statuses));
  }

  // A deleted record has no address.
  const answering = endpoints.filter(({ methods }) => methods[0] !== 'DELETE');

  it.each(answering.map((item) => [item.name, item] as const))(
    'leads to a page, in the response of %s',
    async (name, item) => {
      const { path, session, device, ...asking } = (await SAMPLES[name]?.(world, server())) ?? {};
      const { body } = await server().ask(callOf(item, path), {
        ...asking,
        ...authorised({ ...asking, session, device }),
      });
      const statuses = await statusesOf(addressesIn(body));
      expect(Object.entries(statuses).filter(([, status]) => status !== 200)).toEqual([]);
    },
  );

  it.each(LINKED_KIND_NAMES)('leads to a page for each %s', async (linked) => {
    const { plural } = LINKED_KINDS[linked];
    await server().make(`POST /${plural}`, { [linked]: 'Lantern works' });
    const { body } = await server().ask(`GET /${plural}`);
    const statuses = await statusesOf(addressesIn(body));
    expect(Object.keys(statuses).some((address) => address.endsWith(`/${linked}/lantern-works/`))).toBe(true);
    expect(new Set(Object.values(statuses))).toEqual(new Set([200]));
  });

  it('leads to a page that asks for the password of the event', async () => {
    const { url } = await server().make('POST /events', {
      title: 'Rehearsal',
      start_date: '2027-03-01 18:00',
      end_date: '2027-03-01 19:00',
      post_password: 'lantern',
    });
    expect(await statusesOf([url])).toEqual({ [url]: 200 });
  });

  it('is in many responses', () => {
    expect(seen.size).toBeGreaterThan(MANY);
  });
});
