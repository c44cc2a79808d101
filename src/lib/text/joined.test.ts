import { setFlagsFromString } from 'node:v8';
import { describe, expect, it, vi } from 'vitest';
import { png, upload } from '../../../test/fixtures.ts';
import { DATABASES, useTestServer } from '../../../test/server.ts';
import { joined } from './joined.ts';

/** Whether a text is in one piece, as V8 sees it. */
function isInOnePiece(text: string): boolean {
  setFlagsFromString('--allow-natives-syntax');
  const isFlat = new Function('text', 'return %StringIsFlat(text)');
  setFlagsFromString('--no-allow-natives-syntax');
  return isFlat(text);
}

/** The places of texts in several pieces. */
function piecesIn(value: unknown, path = ''): string[] {
  if (typeof value === 'string') return isInOnePiece(value) ? [] : [path];
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([name, member]) => piecesIn(member, `${path}/${name}`));
}

it('joins texts in one piece, unlike a template', () => {
  const [host, id] = ['https://example.org/event/', String(Date.now())];
  expect(isInOnePiece(joined(host, id))).toBe(true);
  expect(isInOnePiece(`${host}${id}/`)).toBe(false);
});

describe.each(DATABASES)('a list for an account, on %s', (kind) => {
  const server = useTestServer(kind);

  it('consists of texts in one piece', async () => {
    const { ask, make } = server();
    const { body: image } = await ask('POST admin:/media', { as: 'administrator', form: upload(await png(40, 30)) });
    const parent = await make('POST /categories', { name: 'Walks in the evening' });
    const child = await make('POST /categories', { name: 'Walks with a lantern', parent: parent.id });
    for (const title of ['Lantern walk along the old canal', 'Lantern walk through the upper town']) {
      const { id } = await make('POST /events', {
        ...{ title, description: 'One.\n\nTwo.', cost: '$5 – $10', image: image.id, categories: [parent.id, child.id] },
        ...{ start_date: '2026-12-01 20:00:00', end_date: '2026-12-01 22:00:00', tags: ['by the light of a lantern'] },
        venue: { venue: 'The gate of the old town', address: '1 Long Street' },
        organizer: [{ organizer: 'Society of lantern makers' }, { organizer: 'Friends of the old canal' }],
      });
      expect(id).toBeGreaterThan(0);
    }
    // Looks at the texts before they are written, which joins the pieces.
    const { stringify } = JSON;
    const places: string[][] = [];
    const spy = vi.spyOn(JSON, 'stringify').mockImplementation((value: unknown) => {
      if (Object.hasOwn(Object(value), 'events')) places.push(piecesIn(value));
      return stringify(value);
    });
    const { body } = await ask('GET /events', { as: 'subscriber', query: { per_page: 1 } });
    spy.mockRestore();
    expect(body.next_rest_url).toContain('page=2');
    expect(places).toEqual([[]]);
  });
});
