import { describe, expect, it } from 'vitest';
import { textResponse } from '../core/response.ts';
import { loadedOnDemand, type PageRequest } from './exchange.ts';

// The handlers below read nothing of it.
const REQUEST = {} as PageRequest;

describe('a handler that is loaded on demand', () => {
  it('is loaded with the first request, once for all', async () => {
    let loads = 0;
    const handler = loadedOnDemand(async () => {
      loads += 1;
      return () => textResponse('page');
    });
    expect(loads).toBe(0);
    const responses = await Promise.all([handler(REQUEST), handler(REQUEST)]);
    expect(responses.map((response) => response?.status)).toEqual([200, 200]);
    await handler(REQUEST);
    expect(loads).toBe(1);
  });

  it('is loaded again after a failure', async () => {
    const outcomes = [Promise.reject(new Error('too many open files')), Promise.resolve(() => textResponse('page'))];
    const handler = loadedOnDemand(() => outcomes.shift() ?? Promise.reject(new Error('loaded a third time')));
    await expect(handler(REQUEST)).rejects.toThrow('too many open files');
    expect((await handler(REQUEST))?.status).toBe(200);
    expect((await handler(REQUEST))?.status).toBe(200);
  });
});
