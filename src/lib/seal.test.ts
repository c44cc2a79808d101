import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { deriveKeys, fingerprintOf, seal, unseal } from './seal.ts';

describe('a sealed text', () => {
  const keys = deriveKeys('a key', 'account 1');

  it.each(['', 'token abc', 'é'.repeat(100_000)])('is read with the keys that sealed it', (text) => {
    expect(unseal(seal(text, keys, randomBytes), keys)).toBe(text);
  });

  it('differs each time, and shows nothing of the text', () => {
    const [first, second] = [seal('token abc', keys, randomBytes), seal('token abc', keys, randomBytes)];
    expect(first).not.toBe(second);
    expect(Buffer.from(first, 'base64').toString('latin1')).not.toContain('token');
  });

  it.each([
    ['another secret', deriveKeys('a kez', 'account 1')],
    ['another scope', deriveKeys('a key', 'account 2')],
  ])('is not read with the keys of %s', (_name, others) => {
    expect(others.id).not.toBe(keys.id);
    expect(() => unseal(seal('text', keys, randomBytes), others)).toThrow();
  });

  it('is refused if it was modified', () => {
    const bytes = Buffer.from(seal('text', keys, randomBytes), 'base64');
    bytes.writeUInt8(bytes.readUInt8(bytes.length - 1) ^ 1, bytes.length - 1);
    expect(() => unseal(bytes.toString('base64'), keys)).toThrow();
  });
});

describe('a fingerprint', () => {
  it('is the same for the same text and key only', () => {
    const keys = deriveKeys('a key', 'account 1');
    expect(fingerprintOf('text', keys)).toBe(fingerprintOf('text', deriveKeys('a key', 'account 1')));
    expect(fingerprintOf('text', keys)).not.toBe(fingerprintOf('texu', keys));
    expect(fingerprintOf('text', keys)).not.toBe(fingerprintOf('text', deriveKeys('a key', 'account 2')));
  });
});
