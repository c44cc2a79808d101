import { expect } from 'vitest';
import type { Answer } from './server.ts';

/** Expects the same response, except for the request id in the header and in errors. */
export function expectSameResponse(again: Answer, first: Answer): void {
  const id = ({ headers }: Answer) => headers.get('x-request-id') ?? '';
  const own = ({ headers }: Answer) => [...headers].filter(([name]) => name !== 'x-request-id');
  expect(id(again)).not.toBe(id(first));
  expect([again.status, own(again)]).toEqual([first.status, own(first)]);
  expect(again.text).toBe(first.text.replace(id(first), id(again)));
}
