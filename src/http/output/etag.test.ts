import { describe, expect, it } from 'vitest';
import { entityTag, matchesTag } from './etag.ts';

describe('matchesTag', () => {
  const tag = entityTag('body');

  it.each([
    [tag, true],
    [`W/${tag}`, true],
    [`"other", ${tag}`, true],
    ['*', true],
    [' * ', true],
    [entityTag('another body'), false],
    [`w/${tag}`, false],
    ['', false],
    [null, false],
    [undefined, false],
  ])('returns %s for %j', (header, expected) => {
    expect(matchesTag(header, tag)).toBe(expected);
  });
});
