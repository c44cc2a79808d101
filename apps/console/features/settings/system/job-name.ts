import type en from '../locales/en.json';

/** The texts for the periodic jobs, by the names that the server has for them. */
const TEXTS: Readonly<Record<string, keyof typeof en>> = {
  'publishing scheduled records': 'job.publish',
  'expiring unpaid orders': 'job.unpaid',
  'sweeping carts': 'job.carts',
  'forgetting expired answers': 'job.answers',
  'merging counts of changes': 'job.versions',
  'forgetting sessions': 'job.sessions',
  'forgetting old entries of the audit log': 'job.audit',
  'forgetting expired counts': 'job.counts',
  'forgetting final merges': 'job.merges',
};

/** The text for a periodic job; undefined for one that is not known here. */
export const jobText = (name: string): keyof typeof en | undefined =>
  Object.hasOwn(TEXTS, name) ? TEXTS[name] : undefined;
