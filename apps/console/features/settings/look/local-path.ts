import { useSite } from '../../../data/account.ts';
import { useContentLanguage } from '../../../data/content-language.ts';

/** Paths of pages in the language of the content: all but the first language have a prefix. */
export function useLocalPath(): (path: string) => string {
  const { languages } = useSite();
  const language = useContentLanguage();
  const prefix = language === undefined || language === languages[0] ? '' : `/${language}`;
  return (path) => `${prefix}${path}`;
}
