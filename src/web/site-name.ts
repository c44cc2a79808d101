import type { Context } from '../context.ts';
import { getSite } from '../resources/site/settings.ts';

/** The name of the site; that of the product while the database cannot say it. */
export const siteNameIn = async (context: Context, language: string): Promise<string> =>
  context.config.siteName ?? (await getSite(context, language).catch(() => undefined))?.name ?? 'Marquee';
