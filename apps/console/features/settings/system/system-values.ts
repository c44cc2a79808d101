import type en from '../locales/en.json';

/** Keys of the texts of periodic jobs, by their names. */
const TEXTS: Readonly<Record<string, keyof typeof en>> = {
  'publishing scheduled records': 'job.publish',
  'expiring unpaid orders': 'job.unpaid',
  'checking open payments': 'job.payments',
  'reconciling payments': 'job.reconcile',
  'alerting staff': 'job.alerts',
  'sweeping carts': 'job.carts',
  'forgetting expired answers': 'job.answers',
  'merging counts of changes': 'job.versions',
  'forgetting sessions': 'job.sessions',
  'forgetting old entries of the audit log': 'job.audit',
  'forgetting expired counts': 'job.counts',
  'forgetting final merges': 'job.merges',
  'extending series': 'job.series',
  'extending series passes': 'job.passes',
  'forgetting dead jobs': 'job.dead',
  'forgetting old mails': 'job.mails',
  'writing reminders': 'job.reminders',
  'merging changes of lists at the door': 'job.door',
  'reading calendars': 'job.calendars',
  'erasing files of imports': 'job.imports',
};

/** Key of the text of a periodic job; undefined for an unknown one. */
export const jobText = (name: string): keyof typeof en | undefined =>
  Object.hasOwn(TEXTS, name) ? TEXTS[name] : undefined;

/** Units of sizes, each 1024 times the one before. */
const SIZES = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

/** Formats a number of bytes in its largest unit. */
export function bytes(count: number, language: string): string {
  const power = Math.min(Math.floor(Math.log(Math.max(count, 1)) / Math.log(1024)), SIZES.length - 1);
  const size = count / 1024 ** power;
  const format = { style: 'unit', unit: SIZES[power], maximumFractionDigits: size < 10 ? 1 : 0 } as const;
  return new Intl.NumberFormat(language, format).format(size);
}

/** Units of time in seconds. */
const SPANS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const;

/** Formats a number of seconds in its largest unit. */
export function span(seconds: number, language: string): string {
  const [unit, length] = SPANS.find(([, size]) => seconds >= size) ?? ['second', 1];
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(
    Math.floor(seconds / length),
  );
}
