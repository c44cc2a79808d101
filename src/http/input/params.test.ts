import fc from 'fast-check';
import qs from 'qs';
import { describe, expect, it } from 'vitest';
import { membersOf } from '../../lib/text/list.ts';
import { joinParams, parseQuery, readBody } from './params.ts';

const LIMIT = 1000;
const post = (body: string | FormData, type?: string, limit = LIMIT) =>
  readBody(
    new Request('http://site.test/', {
      method: 'POST',
      body,
      headers: type === undefined ? {} : { 'content-type': type },
    }),
    { maxBytes: limit },
  );

describe('parseQuery', () => {
  it.each([
    ['a=1&b=2', { a: '1', b: '2' }],
    ['?a=1', { a: '1' }],
    ['a[]=1&a[]=2', { a: ['1', '2'] }],
    ['a[0]=1&a[1]=2', { a: ['1', '2'] }],
    ['a[k]=v', { a: { k: 'v' } }],
    ['a[0][k]=v&a[1][k]=w', { a: [{ k: 'v' }, { k: 'w' }] }],
    ['a[99]=x&a[3]=y', { a: ['y', 'x'] }],
    ['a[100]=x&a[3]=y', { a: { 3: 'y', 100: 'x' } }],
    ['a[100][100]=x', { a: { 100: { 100: 'x' } } }],
    ['a=x%20y+z', { a: 'x y z' }],
    ['a', { a: '' }],
    ['', {}],
    ['a=%E0%A4%A', { a: '%E0%A4%A' }],
  ])('reads %j', (text, expected) => {
    expect(JSON.parse(JSON.stringify(parseQuery(text)))).toEqual(expected);
  });

  it.each([
    ['a=1&a=2', { a: '2' }, { a: ['1', '2'] }],
    ['a[]=1&a[]=2', { a: ['1', '2'] }, { a: ['1', '2'] }],
    ['a%5B%5D=1&a%5B%5D=2', { a: ['1', '2'] }, { a: ['1', '2'] }],
    ['a[0]=1&a[0]=2', { a: ['2'] }, { a: ['2'] }],
    ['a[0][k]=1&a[0][k]=2', { a: [{ k: '2' }] }, { a: [{ k: '2' }] }],
    ['a[k]=1&a[k]=2', { a: { k: '2' } }, { a: { k: '2' } }],
    ['a=1,2&a=3', { a: '3' }, { a: ['1,2', '3'] }],
    ['a=1&%61=2', { a: '2' }, { a: ['1', '2'] }],
    ['?a=1&a=2', { a: '2' }, { a: ['1', '2'] }],
    ['?a=1,2', { a: '1,2' }, { a: '1,2' }],
    ['a=1', { a: '1' }, { a: '1' }],
    ['a=1&a=', { a: '' }, { a: ['1', ''] }],
    ['b=1&b=2', { b: '2' }, { b: '2' }],
  ])('reads the repetitions in %j as %j, and as %j if it is a list', (text, last, all) => {
    expect(JSON.parse(JSON.stringify(parseQuery(text)))).toEqual(last);
    expect(JSON.parse(JSON.stringify(parseQuery(text, (name) => name === 'a')))).toEqual(all);
  });

  it.each(['a[]=', 'a='])('keeps all members of a long list of %s', (name) => {
    const text = Array.from({ length: 1500 }, (_, index) => `${name}${index}`).join('&');
    const { a } = parseQuery(text, (name) => name === 'a');
    expect(membersOf(a)).toEqual(Array.from({ length: 1500 }, (_, index) => String(index)));
  });

  const piece = fc.constantFrom('a', 'b2', '_c', 'é', '=', '&', '+', '?', '.', ',', '-', '__proto__', 'toString', '');

  it('reads plain texts as qs does', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const text = pieces.join('');
        const expected = qs.parse(text, { plainObjects: true, ignoreQueryPrefix: true, duplicates: 'last' });
        expect({ ...parseQuery(text) }).toEqual({ ...expected });
      }),
      { numRuns: 2000, seed: 20261122 },
    );
  });

  it('leaves prototypes alone', () => {
    parseQuery('__proto__[polluted]=1&constructor[prototype][polluted]=1');
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
});

describe('readBody', () => {
  it.each([
    ['{"a":1}', 'application/json', { a: 1 }],
    ['{"a":1}', 'application/json; charset=UTF-8', { a: 1 }],
    ['{"a":1}', 'application/vnd.site+json', { a: 1 }],
    ['{"a":1}', 'APPLICATION/JSON', { a: 1 }],
    ['', 'application/json', {}],
    ['  ', 'application/json', {}],
    ['[1]', 'application/json', {}],
    ['"a"', 'application/json', {}],
    ['null', 'application/json', {}],
    ['a[]=1&b=2', 'application/x-www-form-urlencoded', { a: ['1'], b: '2' }],
    ['a+b=+1+2%2B3+', 'application/x-www-form-urlencoded', { 'a b': ' 1 2+3 ' }],
    ['a=1', 'text/plain', {}],
    ['<a/>', 'application/xml', {}],
  ])('reads %j of type %j', async (body, type, expected) => {
    expect((await post(body, type)).fields).toEqual(expected);
  });

  it('treats a body without a type as a form', async () => {
    const body = new TextEncoder().encode('a=1');
    const request = new Request('http://site.test/', { method: 'POST', body });
    expect((await readBody(request, { maxBytes: LIMIT })).fields).toEqual({ a: '1' });
  });

  it('reads texts and files of a multipart form', async () => {
    const form = new FormData();
    form.set('a[k]', 'v&w');
    form.set('b[]', '1+1');
    form.append('b[]', '7');
    form.set('c', '50 %41');
    form.set('file', new Blob(['bytes']), 'x.txt');
    const { fields, files } = await post(form);
    expect(fields).toEqual({ a: { k: 'v&w' }, b: ['1+1', '7'], c: '50 %41' });
    expect(await files.get('file')?.text()).toBe('bytes');
  });

  it.each([
    ['nothing', ''],
    ['a line', '\r\n'],
    ['a long epilogue', `\r\n${'e'.repeat(19_000)}`],
    ['an epilogue like a part', '\r\n--x\r\ncontent-disposition: form-data; name="b"\r\n\r\n2\r\n--x--'],
  ])('reads a multipart form followed by %s', async (_what, epilogue) => {
    const form = `preamble\r\n--x\r\ncontent-disposition: form-data; name="a"\r\n\r\n1\r\n--x--${epilogue}`;
    expect((await post(form, 'multipart/form-data; boundary=x', 20_000)).fields).toEqual({ a: '1' });
  });

  it.each(['{"a":', '{a:1}', '\u0000', 'undefined'])('refuses %j as JSON', async (body) => {
    await expect(post(body, 'application/json')).rejects.toMatchObject({
      code: 'rest_invalid_json',
      data: { json_error_code: 4, json_error_message: expect.any(String) },
    });
  });

  it.each(['multipart/form-data', 'multipart/form-data; boundary=other'])('refuses a broken %s', async (type) => {
    await expect(post('--x\r\nbroken', type)).rejects.toMatchObject({ code: 'rest_invalid_body' });
  });

  it('takes a body of exactly the limit and refuses one byte more', async () => {
    const json = (size: number) => `{"a":"${'x'.repeat(size - 8)}"}`;
    expect((await post(json(LIMIT), 'application/json')).fields.a).toHaveLength(LIMIT - 8);
    await expect(post(json(LIMIT + 1), 'application/json')).rejects.toMatchObject({ code: 'rest_body_too_large' });
  });

  it('stops reading a stream of unknown length', async () => {
    let pulled = 0;
    const body = new ReadableStream({
      pull(controller) {
        pulled++;
        controller.enqueue(new Uint8Array(400));
      },
    });
    const request = new Request('http://site.test/', { method: 'POST', body, duplex: 'half' } as RequestInit);
    await expect(readBody(request, { maxBytes: LIMIT })).rejects.toMatchObject({ code: 'rest_body_too_large' });
    expect(pulled).toBeLessThan(10);
  });

  it('refuses a Content-Length that is too large without reading', async () => {
    const headers = { 'content-type': 'application/json', 'content-length': String(LIMIT + 1) };
    const request = new Request('http://site.test/', { method: 'POST', body: '{}', headers });
    await expect(readBody(request, { maxBytes: LIMIT })).rejects.toMatchObject({ code: 'rest_body_too_large' });
  });
});

describe('joinParams', () => {
  const join = (path: Record<string, string>, body: Record<string, unknown>, query: Record<string, unknown>) =>
    Object.fromEntries(joinParams(path, body, query));

  it.each([
    ['the path before body and query', { id: '1' }, { id: 2 }, { id: '3' }, { id: '1', 'body.id': 2 }],
    ['the body before the query', {}, { a: 1 }, { a: '2' }, { a: 1 }],
    ['the query where the body has null', {}, { a: null }, { a: '2' }, { a: '2' }],
    ['null without further input', {}, { a: null }, {}, { a: null }],
    ['the query alone', {}, {}, { a: '2' }, { a: '2' }],
    ['an empty text of the body, which is a value', {}, { a: '' }, { a: '2' }, { a: '' }],
  ])('takes %s', (_what, path, body, query, expected) => {
    expect(join(path, body, query)).toEqual(expected);
  });
});
