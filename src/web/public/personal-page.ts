import type { FormError } from '../parts/notice.ts';
import type { Page } from './answer.ts';
import type { Visit } from './visit.ts';

/** A page for one visitor, which nothing keeps and search engines leave out. */
export const personal = (
  { t, config }: Visit,
  { errors = [], ...page }: Pick<Page, 'title' | 'main' | 'kind'> & { errors?: readonly FormError[] },
): Page => ({
  ...page,
  ...(errors.length > 0 && { status: 400 }),
  description: t('list.about', { site: config.siteName }),
  robots: 'noindex',
  isPersonal: true,
});
