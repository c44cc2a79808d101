import { secretHash } from '../../lib/hash.ts';

type Random = (bytes: number) => Buffer;

const ALPHABET = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';

/** Random characters, uniformly distributed: letters and digits, 5.95 bits each, unless another alphabet is given. */
export function randomCharacters(random: Random, length: number, alphabet = ALPHABET): string {
  // Higher bytes are skipped, since they would make the first letters of the alphabet likelier.
  const fair = 256 - (256 % alphabet.length);
  let text = '';
  while (text.length < length) {
    for (const byte of random(length))
      if (byte < fair && text.length < length) text += alphabet[byte % alphabet.length];
  }
  return text;
}

/** A password that a person will type or change: 119 bits. */
export const generatePassword = (random: Random): string => randomCharacters(random, 20);

const APP_PASSWORD = /^[A-Za-z0-9]{24}$/;

/** An application password as displayed: 24 characters in groups of four, the format that WordPress clients expect. */
export const generateAppPassword = (random: Random): string =>
  randomCharacters(random, 24).replace(/(.{4})(?=.)/g, '$1 ');

const bare = (secret: string): string => secret.replace(/\s/g, '');

/** Whether a text has the format of an application password. */
export const isAppPassword = (secret: string): boolean => APP_PASSWORD.test(bare(secret));

/** Hash of an application password; spaces in it do not matter. */
export const appPasswordHash = (secret: string): string => secretHash(bare(secret));

export const generateToken = (random: Random): string => `mrq_${random(32).toString('base64url')}`;
