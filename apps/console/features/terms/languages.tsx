import type { Term } from '../../../../packages/client/src/marquee-client.ts';
import { useSite } from '../../data/account.ts';
import { language } from '../../i18n/texts.ts';
import { t } from './routes.ts';

/** Languages in which a term has a name; empty on sites with one language. */
export function Languages({ term }: { term: Term }) {
  const { languages } = useSite();
  if (languages.length < 2) return null;
  const names = new Intl.DisplayNames(language, { type: 'language' });
  const [first = ''] = languages;
  // The server omits the languages of a term with texts in the first one only.
  const coverage = term.translations ?? { [first]: ['name'] };
  const has = languages.filter((code) => coverage[code]?.includes('name'));
  return (
    <span className="term-languages">
      <span className="visually-hidden">
        {t('languages.in', { names: has.map((code) => names.of(code)).join(', ') })}
      </span>
      {has.map((code) => (
        <span key={code} className="badge" title={names.of(code)} aria-hidden="true">
          {code}
        </span>
      ))}
    </span>
  );
}
