import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { png, upload } from '../../../test/fixtures.ts';
import { type Answer, type Asking, DATABASES, useTestServer } from '../../../test/server.ts';
import { compareImageFiles } from './image-files.ts';

const NIGHT = { title: 'Lantern Night', start_date: '2027-03-01 09:00', end_date: '2027-03-01 11:00' };

describe.each(DATABASES)('the library of images on %s', (kind) => {
  const server = useTestServer(kind, {}, { isFreshEachTime: true });
  const ask = (call: string, asking: Asking = {}) => server().ask(call, { as: 'editor', ...asking });
  const add = async (name: string, fields: Record<string, string> = {}, width = 20): Promise<Answer['body']> => {
    const form = upload(await png(width, width), name);
    for (const [key, value] of Object.entries(fields)) form.append(key, value);
    return (await ask('POST admin:/media', { form })).body;
  };
  const replace = async (id: number, asking: Asking & { width?: number; name?: string } = {}) =>
    ask(`POST admin:/media/${id}/file`, {
      form: upload(await png(asking.width ?? 30, 30), asking.name ?? 'new.png'),
      ...asking,
    });
  const folder = () => join(server().context.config.data, 'uploads');
  const filesOf = async () =>
    (await readdir(folder(), { recursive: true, withFileTypes: true })).filter((e) => e.isFile());

  describe('searching and filtering', () => {
    const setUp = async () => {
      const mill = await add('mill.png', { alt: 'Café at the river' }, 30);
      const poster = await add('poster-2027.png', { title: 'Zoë’s poster' }, 40);
      const logo = await add('abc.png', {}, 50);
      await ask(`PATCH admin:/media/${mill.id}`, { query: { i18n_language: 'fr' }, body: { alt: 'Moulin à eau' } });
      return { mill, poster, logo } as Record<string, Answer['body']>;
    };
    const list = async (query: Asking['query'], images: Record<string, Answer['body']>) => {
      const { body } = await ask('GET admin:/media', { query });
      const names = new Map(Object.entries(images).map(([name, { id }]) => [id, name]));
      expect(body.total).toBe(body.media.length);
      return body.media.map(({ id }: Answer['body']) => names.get(id)).join(' ');
    };

    it('images are found by title, file name and alternative text in any language, and sorted', async () => {
      const images = await setUp();
      const cases: [Asking['query'], string][] = [
        [{}, 'logo poster mill'],
        [{ search: 'CAFE river' }, 'mill'],
        [{ search: 'moulin a' }, 'mill'],
        [{ search: 'zoe' }, 'poster'],
        [{ search: '2027' }, 'poster'],
        [{ search: 'zoe river' }, ''],
        [{ without_alt: 'en' }, 'logo poster'],
        [{ without_alt: 'fr' }, 'logo poster'],
        [{ orderby: 'title' }, 'logo mill poster'],
        [{ orderby: 'title', order: 'desc' }, 'poster mill logo'],
        [{ orderby: 'filesize', order: 'asc' }, 'mill poster logo'],
        [{ include: `${images.mill.id},${images.logo.id}` }, 'logo mill'],
        [{ include: `${images.mill.id},${images.logo.id}`, unused: false }, ''],
        [{ author: server().userId('editor') }, 'logo poster mill'],
        [{ author: server().userId('author') }, ''],
      ];
      for (const [query, found] of cases) expect([query, await list(query, images)]).toEqual([query, found]);
      const refused = await ask('GET admin:/media', { query: { without_alt: 'xx', orderby: 'colour' } });
      expect([refused.status, Object.keys(refused.body.data.params)]).toEqual([400, ['orderby', 'without_alt']]);
    });

    it('a title is changed alone, and the name of the file takes its place', async () => {
      const { id, title } = await add('mill.png', { alt: 'A mill' });
      expect(title).toBe('mill');
      const change = async (value: unknown) => (await ask(`PATCH admin:/media/${id}`, { body: { title: value } })).body;
      expect(await change('<b>Old</b> mill')).toMatchObject({ title: 'Old mill', alt: 'A mill', revision: 2 });
      expect((await ask(`GET wp:/media/${id}`)).body.title).toEqual({ rendered: 'Old mill' });
      expect((await ask('GET admin:/media', { query: { search: 'old' } })).body.total).toBe(1);
      expect(await change(null)).toMatchObject({ title: 'mill' });
    });

    it('an image that no record, text or site setting shows is unused', async () => {
      const images = await setUp();
      const { mill, poster, logo } = images;
      const unused = (value: boolean) => list({ unused: value }, images);
      expect(await unused(true)).toBe('logo poster mill');
      await server().make('POST /events', { ...NIGHT, image: mill.id });
      await server().make('POST /venues', { venue: 'Mill', description: `<p><img src="${poster.url}" alt=""></p>` });
      await ask('PATCH admin:/site', { as: 'administrator', body: { logo: logo.id } });
      expect([await unused(true), await unused(false)]).toEqual(['', 'logo poster mill']);
      await replace(poster.id);
      expect(await unused(true)).toBe('');
    });

    it('the list of the core namespace takes the parameters of its collections', async () => {
      const images = await setUp();
      const { mill, poster } = images;
      const ids = (names: string) => names.split(' ').flatMap((name) => images[name]?.id ?? []);
      const author = server().userId('editor');
      const cases: [NonNullable<Asking['query']>, string][] = [
        [{}, 'logo poster mill'],
        [{ search: 'zoe' }, 'poster'],
        [{ include: `${mill.id},${poster.id}` }, 'poster mill'],
        [{ include: `${mill.id},${poster.id}`, orderby: 'include' }, 'mill poster'],
        [{ exclude: `${mill.id}` }, 'logo poster'],
        [{ author }, 'logo poster mill'],
        [{ author_exclude: author }, ''],
        [{ after: '2026-11-21T11:59:59' }, 'logo poster mill'],
        [{ after: '2026-11-21T12:00:00' }, ''],
        [{ before: '2026-11-21T17:00:01Z' }, 'logo poster mill'],
        [{ media_type: 'video' }, ''],
        [{ mime_type: 'image/jpeg' }, ''],
        [{ media_type: 'image', mime_type: 'image/png', orderby: 'title', order: 'asc' }, 'logo mill poster'],
        [{ orderby: 'id', order: 'asc', offset: 1 }, 'poster logo'],
      ];
      for (const [query, found] of cases) {
        const { body } = await ask('GET wp:/media', { query });
        expect([query, body.map(({ id }: Answer['body']) => id)]).toEqual([query, ids(found)]);
      }
    });
  });

  describe('replacing a file', () => {
    it('everything that shows the image shows the new file, and old addresses lead there', async () => {
      const image = await add('mill.png', { alt: 'A mill' }, 800);
      const { id } = await server().make('POST /events', { ...NIGHT, image: image.id });
      const { status, body } = await replace(image.id, { width: 900 });
      expect(status).toBe(200);
      expect(body).toMatchObject({ id: image.id, width: 900, alt: 'A mill', revision: 2 });
      expect(body.url).not.toBe(image.url);
      expect((await ask(`GET /events/${id}`)).body.image).toMatchObject({ url: body.url, width: 900 });
      const led = async (url: string) => {
        const response = await server().request(url);
        return [response.status, response.headers.get('location')];
      };
      const pathOf = (url: string) => new URL(url).pathname;
      expect(await led(body.url)).toEqual([200, null]);
      expect(await led(image.url)).toEqual([302, pathOf(body.url)]);
      expect(await led(image.sizes.medium.url)).toEqual([302, pathOf(body.sizes.medium.url)]);
      const third = (await replace(image.id)).body;
      // It is too small for renditions.
      expect(await led(image.sizes.medium.url)).toEqual([302, pathOf(third.url)]);
      expect(await compareImageFiles(server().context.db, folder())).toEqual({});
      // A client that posts again what it has read names the same image.
      expect((await ask(`PATCH /events/${id}`, { body: { image: image.url } })).body.image.id).toBe(image.id);
      await ask(`DELETE admin:/media/${image.id}`, { query: { force: true } });
      expect((await led(image.url))[0]).toBe(404);
    });

    it('of two replacements of the same revision one is refused, and no file is lost or left', async () => {
      const { id } = await add('mill.png');
      const headers = { 'If-Match': '"r1"' };
      const answers = await Promise.all([1, 2].map((n) => replace(id, { headers, name: `n${n}.png` })));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 412]);
      await Promise.all([1, 2, 3].map((n) => replace(id, { name: `m${n}.png` })));
      expect(await compareImageFiles(server().context.db, folder())).toEqual({});
      expect(await filesOf()).toHaveLength(1);
    });

    it('a file that is no image changes nothing', async () => {
      const image = await add('mill.png');
      const form = upload(Buffer.from('text'), 'a.png');
      const { status, body } = await ask(`POST admin:/media/${image.id}/file`, { form });
      expect([status, Object.keys(body.data.params)]).toEqual([400, ['file']]);
      expect((await server().request(image.url)).status).toBe(200);
    });
  });
});
