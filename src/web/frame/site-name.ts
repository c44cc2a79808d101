import type { Context } from '../../base/context.ts';
import { getSite, type Site } from '../../platform/site/settings.ts';

/** The settings of the site; undefined while the database cannot say them. */
export const siteIn = (context: Context, language: string): Promise<Site | undefined> =>
  getSite(context, language).catch(() => undefined);

/** The name of the site; that of the product while the database cannot say it. */
export const siteNameOf = (site: Site | undefined, { config }: Pick<Context, 'config'>): string =>
  config.siteName ?? site?.name ?? 'Marquee';
