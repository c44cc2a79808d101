import { readdir } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { png, upload } from '../../../test/fixtures.ts';
import { type Asking, DATABASES, useTestServer } from '../../../test/server.ts';
import { usualOf } from '../../../test/thoroughness.ts';
import { makeEvent } from '../../../test/tickets.ts';
import { findIncompleteRecords } from '../../db/integrity.ts';

describe.each(DATABASES)('images on %s', (kind) => {
  const usually = it.each(usualOf(kind));
  const imageHosts: string[] = [];
  const server = useTestServer(
    kind,
    { imageHosts, maxUploadBytes: 200_000, maxBodyBytes: 1000 },
    { isFreshEachTime: true },
  );
  let picture: Buffer<ArrayBuffer>;
  let small: Buffer<ArrayBuffer>;

  const send = (
    bytes: Buffer<ArrayBuffer>,
    { as = 'author', name = 'Old Mill (1).PNG' }: { as?: Asking['as']; name?: string } = {},
  ) => server().ask('POST admin:/media', { as, form: upload(bytes, name) });
  const filesOf = async () => {
    const entries = await readdir(join(server().context.config.data, 'uploads'), {
      recursive: true,
      withFileTypes: true,
    });
    return entries.filter((entry) => entry.isFile()).length;
  };
  const remove = (id: number, query: Asking['query'] = {}, as: Asking['as'] = 'editor') =>
    server().ask(`DELETE admin:/media/${id}`, { as, query });

  /** A photograph as taken by a phone: rotated, with GPS position, and with trailing data. */
  async function located(): Promise<Buffer<ArrayBuffer>> {
    const exif = { IFD0: { Artist: 'Somebody' }, IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 3230/100' } };
    const jpeg = await sharp(await png(400, 300))
      .withMetadata({ orientation: 6 })
      .withExifMerge(exif)
      .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/">Somebody</x:xmpmeta>')
      .jpeg()
      .toBuffer();
    return Buffer.concat([jpeg, Buffer.from('<script>Somebody</script>')]);
  }

  async function expectBare(url: string): Promise<void> {
    const bytes = Buffer.from(await (await server().request(url)).arrayBuffer());
    expect(bytes.byteLength).toBeGreaterThan(100);
    expect(bytes.toString('latin1')).not.toMatch(/Somebody|xmpmeta|script/);
    const { exif, xmp, iptc } = await sharp(bytes).metadata();
    expect({ xmp, iptc }).toEqual({});
    // The orientation takes 32 bytes; a position would not fit.
    expect(exif?.length ?? 0).toBeLessThanOrEqual(32);
  }

  beforeAll(async () => {
    picture = await png();
    small = await png(20, 20);
  });

  describe('uploading', () => {
    usually('an upload gets renditions, and all files are served as immutable', async () => {
      const { status, body } = await send(picture);
      expect(status).toBe(201);
      expect(body).toMatchObject({
        id: expect.any(Number),
        url: expect.stringMatching(/^http:\/\/localhost\/uploads\/2026\/11\/old-mill-1-[0-9a-f]{12}\.png$/),
        extension: 'png',
        width: 800,
        height: 600,
        filesize: picture.byteLength,
        author: String(server().userId('author')),
        date_utc: '2026-11-21 17:00:00',
        sizes: {
          thumbnail: { width: 150, height: 150, 'mime-type': 'image/png' },
          medium: { width: 300, height: 225 },
          medium_large: { width: 768, height: 576 },
        },
      });
      for (const { url, filesize } of [body, ...Object.values<{ url: string; filesize: number }>(body.sizes)]) {
        const response = await server().request(url);
        expect(response.status).toBe(200);
        expect(Object.fromEntries(response.headers)).toMatchObject({
          'content-type': 'image/png',
          'cache-control': 'public, max-age=31536000, immutable',
          'x-content-type-options': 'nosniff',
          'content-security-policy': "default-src 'none'; sandbox",
        });
        expect((await response.arrayBuffer()).byteLength).toBe(filesize);
      }
      expect(await filesOf()).toBe(4);
      await remove(body.id);
      expect(await filesOf()).toBe(0);
      expect((await server().request(body.url)).status).toBe(404);
    });

    usually('no file of an upload keeps its metadata', async () => {
      const { body } = await send(await located());
      const files = [body, ...Object.values<{ url: string }>(body.sizes)];
      expect(files).toHaveLength(3);
      for (const { url } of files) await expectBare(url);
      const original = await (await server().request(body.url)).arrayBuffer();
      expect(body.filesize).toBe(original.byteLength);
      expect(body).toMatchObject({ width: 300, height: 400 });
      expect((await sharp(original).metadata()).orientation).toBe(6);
      await remove(body.id);
    });

    usually('a small image gets no renditions', async () => {
      const { body } = await send(small, { name: '../../<script>.php' });
      expect(body).not.toHaveProperty('sizes');
      expect(body.url).toMatch(/\/uploads\/2026\/11\/[a-z-]+-[0-9a-f]{12}\.png$/);
      await remove(body.id);
    });

    it.each([
      ['text', Buffer.from('not an image')],
      ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>')],
      ['HTML', Buffer.from('<!DOCTYPE html><script>alert(1)</script>')],
      ['nothing', Buffer.from('')],
    ])('an upload that is %s is refused whatever its name', async (_what, bytes) => {
      const { status, body } = await send(bytes as Buffer<ArrayBuffer>);
      expect([status, body.code, Object.keys(body.data.params)]).toEqual([400, 'rest_invalid_param', ['file']]);
      expect(await filesOf()).toBe(0);
    });

    usually('an upload without a file or over the limit is refused', async () => {
      const { ask } = server();
      const none = await ask('POST admin:/media', { as: 'author', form: new FormData() });
      expect([none.status, none.body.code]).toEqual([400, 'rest_invalid_param']);
      expect((await ask('POST admin:/media', { as: 'author', body: { file: 'x' } })).status).toBe(400);
      const large = new Response(upload(Buffer.alloc(300_000)));
      const headers = { 'content-type': large.headers.get('content-type') ?? '' };
      const body = await large.arrayBuffer();
      const refused = await server().request('/calendar/admin/v1/media', { method: 'POST', headers, body });
      expect([refused.status, await refused.json()]).toEqual([
        413,
        expect.objectContaining({ code: 'rest_body_too_large' }),
      ]);
    });

    it.each([
      [undefined, 401],
      ['subscriber', 403],
      ['door', 403],
      ['contributor', 403],
      ['author', 201],
      ['administrator', 201],
    ] as const)('by %s: %i', async (as, status) => {
      const answer = await server().ask('POST admin:/media', { as, form: upload(small) });
      expect(answer.status).toBe(status);
      expect(await filesOf()).toBe(status === 201 ? 1 : 0);
      if (status === 201) await remove(answer.body.id);
    });
  });

  describe('the alternative text and the focus point', () => {
    const CENTRE = { x: 50, y: 50 };
    const change = (id: number, body: object, as: Asking['as'] = 'author') =>
      server().ask(`PATCH admin:/media/${id}`, { as, body });

    it('are there from the upload on, and change by themselves', async () => {
      const form = upload(picture);
      for (const [name, value] of [
        ['alt', '<b>A mill</b>\n at dusk'],
        ['focus[x]', '20.5'],
        ['focus[y]', '100'],
      ] as const)
        form.append(name, value);
      const made = await server().ask('POST admin:/media', { as: 'author', form });
      expect(made).toMatchObject({ status: 201, body: { alt: 'A mill at dusk', focus: { x: 20.5, y: 100 } } });
      const { id } = made.body;
      const [focused, described] = [await change(id, { focus: { x: 0, y: 7 } }), await change(id, { alt: 'A mill' })];
      expect(focused.body).toEqual({ ...made.body, focus: { x: 0, y: 7 }, revision: 2 });
      expect(described.body).toEqual({ ...focused.body, alt: 'A mill', revision: 3 });
      for (const nothing of [null, '']) {
        expect((await change(id, { alt: nothing, focus: nothing })).body).toMatchObject({ alt: '', focus: CENTRE });
        await change(id, { alt: 'Again', focus: { x: 1, y: 1 } });
      }
      expect((await server().ask(`GET admin:/media/${id}`, { as: 'author' })).body).toMatchObject({ alt: 'Again' });
    });

    it.each([
      ['{"x": 20.5, "y": 100}', 201, { x: 20.5, y: 100 }],
      ['', 201, CENTRE],
      ['{"x": 20.5}', 400, undefined],
      ['20.5', 400, undefined],
      ['{x', 400, undefined],
      [`{"x": 1, "y": 1, "z": "${'z'.repeat(100)}"}`, 400, undefined],
    ] as const)('take the focus point of an upload as text: %s', async (text, status, focus) => {
      const form = upload(picture);
      form.append('focus', text);
      const answer = await server().ask('POST admin:/media', { as: 'author', form });
      expect([answer.status, answer.body.focus]).toEqual([status, focus]);
    });

    it.each([
      { alt: ['a'] },
      ...[{}, { x: 50 }, { x: 50, y: 101 }, { x: -1, y: 0 }, { x: 'a', y: 0 }, [1, 2], 50, true].map((focus) => ({
        focus,
      })),
    ])('are refused if they are wrong: %j', async (body) => {
      const { id } = (await send(small)).body;
      const answer = await change(id, body);
      expect([answer.status, Object.keys(answer.body.data.params)]).toEqual([400, Object.keys(body)]);
    });

    it('are part of every image, in the language of the response, for clients of the reference only once set', async () => {
      const { id } = (await send(picture, { as: 'editor' })).body;
      const venue = await server().make('POST /venues', { venue: 'Mill', image: id });
      const event = await server().make('POST /events', {
        ...{ title: 'Dusk', start_date: '2027-03-06 18:30', end_date: '2027-03-06 21:00' },
        ...{ image: id, venue: venue.id },
      });
      const imagesIn = async (asking: Asking) => {
        const read = async (path: string) => (await server().ask(`GET ${path}`, asking)).body;
        const [one, list, single] = [
          await read(`/events/${event.id}`),
          await read('/events'),
          await read(`/venues/${venue.id}`),
        ];
        const images = [one, list.events[0], one.venue, single].map(({ image }) => image);
        expect(images).toEqual(Array(4).fill(images[0]));
        const { alt, focus } = images[0];
        return { alt, focus };
      };
      const reference = { prefix: '/wp-json/tribe' } as const;
      const french = { query: { i18n_language: 'fr' } };
      expect(await imagesIn({})).toEqual({ alt: '', focus: CENTRE });
      expect(await imagesIn(reference)).toEqual({});
      await change(id, { alt: 'Un moulin', i18n_language: 'fr' }, 'editor');
      expect(await imagesIn({})).toEqual({ alt: 'Un moulin', focus: CENTRE });
      const written = await change(id, { alt: 'A mill', focus: { x: 10, y: 20 } }, 'editor');
      expect(written.body.translations).toEqual({ en: ['alt'], fr: ['alt'] });
      expect(await imagesIn(french)).toEqual({ alt: 'Un moulin', focus: { x: 10, y: 20 } });
      expect(await imagesIn(reference)).toEqual({ alt: 'A mill', focus: { x: 10, y: 20 } });
      expect((await server().ask(`GET wp:/media/${id}`, french)).body.alt_text).toBe('Un moulin');
      await change(id, { alt: null, i18n_language: 'fr' }, 'editor');
      expect(await imagesIn(french)).toEqual({ alt: 'A mill', focus: { x: 10, y: 20 } });
    });

    it('go with the image', async () => {
      const { id } = (await send(small)).body;
      await change(id, { alt: 'Un moulin', i18n_language: 'fr' });
      await remove(id);
      expect(await findIncompleteRecords(server().context.db)).toEqual([]);
      expect(await change(id, { alt: 'A mill' })).toMatchObject({ status: 404, body: { code: 'media-not-found' } });
    });

    usually('of an image may be changed by its author and by editors', async () => {
      const { id } = (await send(small, { as: 'editor' })).body;
      expect((await change(id, { alt: 'Mine' }, 'author')).status).toBe(403);
      expect((await change(id, { alt: 'Mine' }, 'editor')).body.alt).toBe('Mine');
    });
  });

  it('viewers who may upload can list images, newest first, and read them', async () => {
    const { ask } = server();
    const ids: number[] = [];
    for (const _ of [1, 2, 3]) ids.unshift((await send(small)).body.id);
    const list = await ask('GET admin:/media', { as: 'author', query: { per_page: 2 } });
    expect(list.body).toMatchObject({ total: 3, total_pages: 2, media: [{ id: ids[0] }, { id: ids[1] }] });
    expect(list.body.next_rest_url).toBe('http://localhost/calendar/admin/v1/media?page=2&per_page=2');
    expect((await ask(`GET admin:/media/${ids[0]}`, { as: 'author' })).body).toEqual(list.body.media[0]);
    for (const call of ['GET admin:/media', `GET admin:/media/${ids[0]}`]) {
      expect((await ask(call)).status).toBe(401);
      expect((await ask(call, { as: 'contributor' })).status).toBe(403);
    }
    expect(await ask('GET admin:/media/999', { as: 'author' })).toMatchObject({
      status: 404,
      body: { code: 'media-not-found' },
    });
    for (const id of ids) await remove(id);
  });

  describe('removing', () => {
    usually('authors may remove their own images, editors all', async () => {
      const { id } = (await send(small, { as: 'editor' })).body;
      expect((await server().ask(`DELETE admin:/media/${id}`)).status).toBe(401);
      expect((await remove(id, {}, 'contributor')).status).toBe(403);
      expect((await remove(id, {}, 'author')).status).toBe(403);
      expect((await remove(id, {}, 'editor')).status).toBe(200);
      expect(await remove(id)).toMatchObject({ status: 404, body: { code: 'media-not-found' } });
      const own = (await send(small)).body.id;
      expect((await remove(own, {}, 'author')).status).toBe(200);
    });

    it('an image that records show is removed only with force', async () => {
      const { ask, make } = server();
      const { id } = (await send(small)).body;
      const walk = { title: 'Walk', start_date: '2027-01-01', end_date: '2027-01-02', image: id };
      const shown = [
        [`/events/${(await make('POST /events', walk)).id}`, false],
        [`/venues/${(await make('POST /venues', { venue: 'Mill', image: String(id) })).id}`, undefined],
        [`/organizers/${(await make('POST /organizers', { organizer: 'Club', image: id })).id}`, undefined],
      ] as const;
      for (const [path] of shown) expect((await ask(`GET ${path}`)).body.image.id).toBe(id);
      const refused = await remove(id);
      expect(refused).toMatchObject({
        status: 409,
        body: { code: 'media-in-use', data: { used_by: expect.any(Number) } },
      });
      expect(await filesOf()).toBe(1);
      expect((await remove(id, { force: true })).status).toBe(200);
      for (const [path, nothing] of shown) expect((await ask(`GET ${path}`)).body.image).toBe(nothing);
      expect(await filesOf()).toBe(0);
    });

    it('removing an image twice at the same time causes no fault', async () => {
      const { id } = (await send(small)).body;
      const answers = await Promise.all([remove(id), remove(id), remove(id)]);
      for (const { status } of answers) expect([200, 404]).toContain(status);
    });
  });

  describe('the image of a record', () => {
    let stranger: Server;
    let address: string;
    let asked = 0;

    beforeAll(async () => {
      const photograph = await located();
      const bodies = new Map<string | undefined, string | Buffer>([
        ['/fake.png', 'not a png'],
        ['/photograph.png', photograph],
      ]);
      stranger = createServer((request, response) => {
        asked++;
        const type = request.url === '/text.png' ? 'text/plain' : 'image/png';
        if (request.url === '/gone.png') response.writeHead(404).end();
        else if (request.url === '/inner.png') response.writeHead(302, { location: 'http://127.0.0.1:9/x.png' }).end();
        else response.writeHead(200, { 'content-type': type }).end(bodies.get(request.url) ?? picture);
      });
      await new Promise<void>((resolve) => stranger.listen(0, '127.0.0.1', resolve));
      address = `127.0.0.1:${(stranger.address() as AddressInfo).port}`;
      imageHosts.push(address);
    });
    afterAll(() => new Promise((resolve) => void stranger.close(resolve)));

    const create = (image: unknown, as: Asking['as'] = 'author') =>
      server().ask('POST /venues', { as, body: { venue: 'Pictured', image } });

    it('a record can name an upload by id or by address', async () => {
      const { id, url } = (await send(picture)).body;
      for (const image of [id, String(id), ` ${id} `, url]) {
        const { status, body } = await create(image);
        expect([status, body.image.id]).toEqual([201, id]);
      }
      expect((await create(id, 'contributor')).body.image.id).toBe(id);
    });

    it('an image from another server is fetched once for each address', async () => {
      const url = `http://${address}/Lantern%20Walk.png?size=1`;
      const first = (await create(url)).body.image;
      expect(first).toMatchObject({
        width: 800,
        height: 600,
        url: expect.stringContaining('/uploads/2026/11/lantern-walk'),
      });
      expect((await server().request(first.url)).status).toBe(200);
      const before = asked;
      const second = await server().ask('POST /organizers', { as: 'author', body: { organizer: 'Same', image: url } });
      expect([second.body.image.id, asked]).toEqual([first.id, before]);
    });

    usually('a fetched image loses its metadata', async () => {
      const { image } = (await create(`http://${address}/photograph.png`)).body;
      expect(image).toMatchObject({ extension: 'jpg', width: 300, height: 400 });
      for (const { url } of [image, ...Object.values<{ url: string }>(image.sizes)]) await expectBare(url);
    });

    it.each(['/gone.png', '/text.png', '/fake.png', '/inner.png'])(
      'an image that cannot be fetched is refused: %s',
      async (path) => {
        const files = await filesOf();
        const { total } = (await server().ask('GET /venues')).body;
        const { status, body } = await create(`http://${address}${path}`);
        expect([status, Object.keys(body.data.params)]).toEqual([400, ['image']]);
        expect([await filesOf(), (await server().ask('GET /venues')).body.total]).toEqual([files, total]);
      },
    );

    usually('images are not fetched from private addresses, nor for viewers who may not upload', async () => {
      const before = asked;
      const url = `http://${address}/new.png`;
      const other = address.replace('127.0.0.1', 'localhost');
      const inside = ['127.0.0.2:80', '[::1]:80', '10.0.0.1', '169.254.169.254', '2130706433', '0x7f.1', other];
      for (const host of inside) expect((await create(`http://${host}/x.png`)).status).toBe(400);
      const refused = await create(url, 'contributor');
      expect(refused).toMatchObject({ status: 400, body: { data: { params: { image: expect.any(String) } } } });
      expect((await server().ask('POST /venues', { body: { venue: 'Pictured', image: url } })).status).toBe(400);
      expect(asked).toBe(before);
    });

    it('an account without write access is refused as such, whatever image it names', async () => {
      const before = asked;
      const { id, url } = (await send(picture)).body;
      const [event, venue] = [await makeEvent(server()), (await create(id)).body];
      const { make, ask } = server();
      const { token } = await make('POST admin:/tokens', { name: 'Reader', scopes: ['read'] });
      const times = { start_date: '2027-03-06 18:00', end_date: '2027-03-06 20:00' };
      const meta = { _EventStartDate: times.start_date, _EventEndDate: times.end_date };
      const writes: [call: string, bodyWith: (image: unknown) => object][] = [
        ['POST /venues', (image) => ({ venue: 'Pictured', image })],
        [`PATCH /venues/${venue.id}`, (image) => ({ image })],
        ['POST /events', (image) => ({ title: 'Pictured', ...times, image })],
        ['POST /events', (image) => ({ title: 'Pictured', ...times, venue: { venue: 'Inline', image } })],
        [`PATCH /events/${event}`, (image) => ({ image })],
        ['POST wp:/tribe_events', (image) => ({ title: 'Pictured', meta, featured_media: image })],
        [`POST wp:/tribe_events/${event}`, (image) => ({ featured_media: image })],
      ];
      const callers: Asking[] = [{ as: 'subscriber' }, { headers: { authorization: `Bearer ${token}` } }];
      for (const caller of callers)
        for (const image of [id, url, 99_999, `http://${address}/forbidden.png`, 'http://localhost/uploads/none.png'])
          for (const [call, bodyWith] of writes) {
            const { status } = await ask(call, { ...caller, body: bodyWith(image) });
            expect([call, image, status]).toEqual([call, image, 403]);
          }
      expect(asked).toBe(before);
      expect((await create('not an id', 'subscriber')).status).toBe(400);
    });

    it.each([99_999, 'not an id', '-1', 'file:///etc/passwd', 'data:image/png;base64,AA==', [1], { id: 1 }])(
      'the image %j is refused',
      async (image) => {
        expect(await create(image)).toMatchObject({ status: 400, body: { code: 'rest_invalid_param' } });
      },
    );

    it('a rendition or a missing file is refused as an image', async () => {
      const { id, url, sizes } = (await send(picture)).body;
      await remove(id);
      for (const gone of [url, sizes.medium.url]) expect((await create(gone)).status).toBe(400);
    });

    it('a record keeps its image until it is cleared', async () => {
      const { id } = (await send(small)).body;
      const made = (await create(id)).body;
      const change = async (body: object) =>
        (await server().ask(`PATCH /venues/${made.id}`, { as: 'author', body })).body;
      expect((await change({ city: 'Salem' })).image.id).toBe(id);
      expect(await change({ image: '' })).not.toHaveProperty('image');
      expect((await change({ image: id })).image.id).toBe(id);
      expect(await change({ image: null })).not.toHaveProperty('image');
    });

    usually('a failed write leaves no image file behind', async () => {
      const files = await filesOf();
      const body = { venue: 'Lost', image: `http://${address}/lost.png`, author: server().userId('editor') };
      expect((await server().ask('POST /venues', { as: 'author', body })).status).toBe(403);
      expect(await filesOf()).toBe(files);
    });
  });

  it.each([
    '/uploads/..%2fmarquee.db',
    '/uploads/%2e%2e/marquee.db',
    '/uploads/..%5cmarquee.db',
    '/uploads/',
    '/uploads/2026',
    '/uploads/%00',
    '/uploads/%ff',
    '/uploads/none.png',
    `/uploads/${'x'.repeat(300)}.png`,
  ])('a path outside the folder of uploads is not served: %s', async (path) => {
    const response = await server().request(path);
    expect([response.status, response.headers.get('content-type')]).toEqual([404, expect.stringContaining('json')]);
  });

  usually('an image has one address, without repeated slashes', async () => {
    const response = await server().request('/uploads//marquee.db');
    expect([response.status, response.headers.get('location')]).toEqual([301, '/uploads/marquee.db']);
  });
});

describe('without a list of hosts', () => {
  const server = useTestServer('sqlite');

  it('without a list of allowed hosts nothing is fetched from private addresses', async () => {
    let asked = 0;
    const stranger = createServer((_request, response) => void response.end(String(++asked)));
    await new Promise<void>((resolve) => stranger.listen(0, '127.0.0.1', resolve));
    const image = `http://127.0.0.1:${(stranger.address() as AddressInfo).port}/x.png`;
    const answer = await server().ask('POST /venues', { as: 'administrator', body: { venue: 'Near', image } });
    await new Promise((resolve) => void stranger.close(resolve));
    expect([answer.status, asked]).toEqual([400, 0]);
  });
});
