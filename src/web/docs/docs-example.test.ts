import { describe, expect, it } from 'vitest';
import { endpoint, type Fields, type Method, ok } from '../../http/core/endpoint.ts';
import { boolean, integer, text } from '../../http/input/schemas.ts';
import { curlExample, shellWord } from './docs-example.ts';

interface Given {
  methods: readonly Method[];
  path?: string;
  input?: Fields;
  required?: readonly string[];
  takesFiles?: boolean;
}

const example = ({ methods, path = '/things', input = {}, required = [], takesFiles }: Given, isSecured = false) => {
  const shared = { namespace: 'events' as const, name: 'x.y', summary: '', responses: {}, errors: [] };
  const made = endpoint({ ...shared, methods, path, input, required, takesFiles, handle: async () => ok({}) });
  return curlExample(made, { root: 'http://x/v1', isSecured }).replace(/ \\\n\s+/g, ' ');
};

describe('examples', () => {
  const name = text('');
  it.each([
    [{ methods: ['GET'] }, 'curl http://x/v1/things'],
    [{ methods: ['GET'], input: { per_page: integer('') } }, "curl 'http://x/v1/things?per_page=3'"],
    [{ methods: ['GET'], path: '/things/{id}', input: { id: integer('') } }, 'curl http://x/v1/things/42'],
    [{ methods: ['DELETE'], path: '/by-slug/{slug}' }, 'curl http://x/v1/by-slug/lantern-walk -X DELETE'],
    [{ methods: ['POST'] }, 'curl http://x/v1/things -X POST'],
    [{ methods: ['POST'], takesFiles: true }, 'curl http://x/v1/things -F file=@poster.jpg'],
    [
      { methods: ['POST'], input: { name, force: boolean('') }, required: ['name', 'other'] },
      `curl http://x/v1/things -H 'Content-Type: application/json' -d '{"name":"Jazz","other":"example"}'`,
    ],
    [
      { methods: ['PUT', 'PATCH'], path: '/things/{id}', input: { id: integer(''), name } },
      `curl http://x/v1/things/42 -X PUT -H 'Content-Type: application/json' -d '{"name":"Jazz"}'`,
    ],
  ] satisfies [Given, string][])('%j', (given, expected) => {
    expect(example(given)).toBe(expected);
  });

  it('examples sign in where an account is needed', () => {
    expect(example({ methods: ['GET'] }, true)).toBe("curl http://x/v1/things -u 'name:password'");
  });

  it.each([
    ['http://x/a?b=c&d', "'http://x/a?b=c&d'"],
    ["it's; rm -r ~", "'it'\\''s; rm -r ~'"],
    ['plain', 'plain'],
    ['', "''"],
  ])('quote %s for a shell', (given, expected) => {
    expect(shellWord(given)).toBe(expected);
  });
});
