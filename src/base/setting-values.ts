import { isIP } from 'node:net';
import { availableParallelism } from 'node:os';
import { isAbsolute, resolve } from 'node:path';
import { z } from 'zod';
import { readHostEntry } from '../lib/addresses.ts';
import { isZone } from '../lib/dates/dates.ts';
import { languageTag } from '../lib/i18n.ts';
import { originOfTiles, readAttribution } from '../lib/map-tiles.ts';
import { isCurrencyCode } from '../lib/money/money.ts';
import { isAccountName } from '../lib/text/account-name.ts';
import { isMailAddress } from '../lib/text/email.ts';

/** Defaults of settings for which neither the environment nor the site has a value. */
export const PRESETS = { timezone: 'UTC', languages: ['en', 'fr'], currency: 'USD' } as const;

/** Attribution of most map tiles. */
export const OPEN_STREET_MAP = '© OpenStreetMap contributors https://www.openstreetmap.org/copyright';

export const MEBIBYTE = 1024 * 1024;
const MAX_WORKERS = 256;
const LOOPBACK: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];
/** Upper bound of the limits on visitors. */
const MAX_LIMIT = 1_000_000;

// Messages complete a sentence that begins with the name of the variable. They contain the value unless it may be a
// secret.

export const number = (from: number, to: number) =>
  z
    .string()
    .refine((given) => Number(given) >= from && Number(given) <= to, {
      error: ({ input }) => `must be a number from ${from} to ${to}, not "${input}".`,
    })
    .transform(Number);

export const whole = (from: number, to: number) =>
  number(from, to).refine(Number.isInteger, { error: ({ input }) => `must be a whole number, not "${input}".` });

export const limit = () => whole(0, MAX_LIMIT);

export const mebibytes = () => number(0.01, 1024).transform((size) => Math.round(size * MEBIBYTE));

/** Two limits, such as `50,10`. */
export const limits = <First extends string, Second extends string>(preset: string, first: First, second: Second) =>
  z
    .string()
    .refine((given) => /^\d{1,7}\s*,\s*\d{1,7}$/.test(given) && given.split(',').every((part) => +part <= MAX_LIMIT), {
      error: ({ input }) => `must be two whole numbers up to ${MAX_LIMIT}, such as ${preset}, not "${input}".`,
    })
    .transform((given) => {
      const [one, other] = given.split(',').map(Number);
      return { [first]: one, [second]: other } as Record<First | Second, number>;
    })
    .prefault(preset);

export const oneOf = <const Values extends readonly string[]>(values: Values) =>
  z.enum(values, { error: ({ input }) => `must be one of ${values.join(', ')}, not "${input}".` });

const split = (given: string) => given.split(',').map((item) => item.trim());

export const list = <Item extends z.ZodType<string, string>>(item: Item) =>
  z
    .string()
    .transform((given) => split(given).filter((part) => part !== ''))
    .pipe(z.array(item))
    .prefault('');

/** 128 bits in hexadecimal digits. */
export const siteSecret = z
  .string()
  .min(32, { error: 'needs at least 32 characters, such as those of "openssl rand -hex 32".' });

/** The messages about keys of services omit the value. */
export const stripeKey = z.string().regex(/^[rs]k_(?:test|live)_\w{8,}$/, {
  error: 'must be a secret or restricted key of Stripe, which begins with sk_ or rk_.',
});

export const stripeWebhookSecret = z.string().regex(/^whsec_[\w+/=]{8,}$/, {
  error: 'must be the signing secret of a webhook endpoint, which begins with whsec_.',
});

/** The messages omit the value, which may contain a password. */
export const smtpServer = z.string().transform((given, issues) => {
  const url = /^smtps?:\/\//.test(given) ? URL.parse(given) : null;
  const isPlain = url?.searchParams.get('tls') === 'off';
  if (url === null || url.hostname === '' || url.pathname.length > 1 || url.search !== (isPlain ? '?tls=off' : '')) {
    issues.addIssue('must be an address such as smtp://USER:PASSWORD@mail.example.org:587.');
    return z.NEVER;
  }
  const secure = url.protocol === 'smtps:';
  const [user = '', password = ''] = [url.username, url.password].map(decoded);
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port || (secure ? SMTPS_PORT : SUBMISSION_PORT)),
    secure,
    /** Whether an unencrypted connection is accepted. */
    isPlain: isPlain || LOOPBACK.includes(url.hostname),
    login: user === '' ? undefined : { user, password },
  };
});

const SMTPS_PORT = 465;
const SUBMISSION_PORT = 587;

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** `Name <address>` or an address alone. */
export const mailbox = z.string().transform((given, issues) => {
  const [, name = '', bracketed] = /^([^<>"\p{Cc}]*)<([^<>]*)>$/u.exec(given) ?? [];
  const address = bracketed ?? given;
  if (isMailAddress(address)) return { name: name.trim(), address };
  issues.addIssue(`must be an e-mail address such as tickets@example.org, not "${given}".`);
  return z.NEVER;
});

export const selector = z.string().regex(/^[a-z\d](?:[a-z\d.-]{0,61}[a-z\d])?$/i, {
  error: ({ input }) => `must be a name of letters, digits, hyphens and dots, not "${input}".`,
});

/** A host name in letters, digits and hyphens. */
export const domainName = z.string().regex(/^[a-z\d][a-z\d-]*(?:\.[a-z\d][a-z\d-]*)*$/i, {
  error: ({ input }) => `must be a domain such as bounces.example.org, not "${input}".`,
});

/** Shorter keys could be guessed despite the rate limits. */
export const checkInKey = z.string().min(8, { error: 'needs at least 8 characters.' });

export const metricsToken = z
  .string()
  .regex(/^[\x21-\x7e]{16,}$/, { error: 'must have at least 16 characters, all of them ASCII without spaces.' });

export const workers = z
  .string()
  .refine((given) => given === 'auto' || (/^\d{1,3}$/.test(given) && +given >= 1 && +given <= MAX_WORKERS), {
    error: ({ input }) => `must be a whole number from 1 to ${MAX_WORKERS}, or auto, not "${input}".`,
  })
  .transform((given) => (given === 'auto' ? Math.min(availableParallelism(), MAX_WORKERS) : Number(given)));

export const databaseUrl = z.string().transform((given, issues) => {
  if (/^postgres(ql)?:\/\//.test(given)) {
    if (URL.canParse(given)) return { kind: 'postgres' as const, url: given };
    issues.addIssue('is not a valid URL.');
    return z.NEVER;
  }
  const file = /^sqlite:(?:\/\/(?=\/))?(.+)$/.exec(given)?.[1];
  if (file !== undefined) return { kind: 'sqlite' as const, file: isAbsolute(file) ? file : resolve(file) };
  issues.addIssue('must begin with postgres:// or sqlite:.');
  return z.NEVER;
});

export const admin = z
  .string()
  .regex(/^[^:]+:.+$/s, { error: 'must have the form name:password.' })
  .transform((given) => {
    const [name = '', ...password] = given.split(':');
    return { name, password: password.join(':') };
  })
  .refine(({ name }) => isAccountName(name), {
    error: 'needs a name of 1 to 60 characters without control characters, < and >.',
  })
  .refine(({ password }) => password.length >= 8, { error: 'needs a password of at least 8 characters.' });

export const timezone = z
  .string()
  .refine(isZone, { error: ({ input }) => `is not a known time zone: "${input}".` })
  .prefault(PRESETS.timezone);

export const origin = () =>
  z
    .string()
    .refine(isOrigin, {
      error: ({ input }) => `must be an address such as https://events.example.org, not "${input}".`,
    })
    .transform((given) => new URL(given).origin);

/** Address of a service, which gets keys: only loopback addresses may lack encryption. */
export const serviceAddress = origin().refine(
  (given) => {
    const { protocol, hostname } = new URL(given);
    return protocol === 'https:' || LOOPBACK.includes(hostname);
  },
  { error: 'must begin with https://, unless it is an address of this machine.' },
);

function isOrigin(given: string): boolean {
  const url = URL.parse(given);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username) return false;
  return url.pathname === '/' && !url.search && !url.hash;
}

export const languages = z
  .string()
  .transform(split)
  .pipe(
    z.array(
      z.string().transform((item, issues) => {
        const tag = languageTag(item);
        if (tag !== undefined) return tag;
        issues.addIssue(`has "${item}", which is not a language tag such as fr or pt-BR.`);
        return z.NEVER;
      }),
    ),
  )
  .superRefine((tags, issues) => {
    const twice = tags.find((tag, index) => tags.indexOf(tag) < index);
    if (twice !== undefined) issues.addIssue(`has ${twice} twice; once is enough.`);
  })
  .prefault(PRESETS.languages.join(','));

export const proxy = z.string().refine((item) => item === 'loopback' || isNetwork(item), {
  error: ({ input }) => `has "${input}", which is not an address, a network such as 10.0.0.0/8, or loopback.`,
});

function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const family = isIP(address);
  if (family === 0 || address.includes('%') || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 6 ? 128 : 32));
}

export const imageHost = z.string().refine((item) => readHostEntry(item) !== undefined, {
  error: ({ input }) => `has "${input}", which is neither a host nor one with a port, such as [::1]:8080.`,
});

/** The message omits the value, which may contain a key. */
export const mapTiles = z.string().transform((template, issues) => {
  const tilesOrigin = originOfTiles(template);
  if (tilesOrigin !== undefined) return { template, origin: tilesOrigin };
  issues.addIssue('must be an address such as https://tile.example.org/{z}/{x}/{y}.png.');
  return z.NEVER;
});

export const mapAttribution = z.string().transform((given, issues) => {
  const attribution = readAttribution(given);
  if (attribution !== undefined) return attribution;
  issues.addIssue('must be a text, optionally followed by an address.');
  return z.NEVER;
});

export const currency = z
  .string()
  .refine(isCurrencyCode, { error: ({ input }) => `is not the code of a currency, such as USD or EUR: "${input}".` })
  .prefault(PRESETS.currency);
