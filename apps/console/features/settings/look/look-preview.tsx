import { useQuery } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { type SiteColors, schemesOf } from '../../../../../src/lib/theme.ts';
import { useSite } from '../../../data/account.ts';
import { useContentLanguage } from '../../../data/content-language.ts';
import { read } from '../../../data/queries.ts';
import type { Picture } from '../../../shared/pictures/picture-field.tsx';
import { SelectField } from '../../../ui/fields.tsx';
import { Views } from '../../../ui/table/filter-bar.tsx';
import { PagePreview } from '../page-preview.tsx';
import { t } from '../routes.ts';

interface LookPreviewProps {
  colors: SiteColors;
  logo: Picture | null;
  scheme: 'light' | 'dark';
  onScheme: (scheme: 'light' | 'dark') => void;
}

const SCHEMES = ['light', 'dark'] as const;
const PAGES = ['home', 'list', 'month', 'event'] as const;

/** Previews pages of the site with unsaved colours and logo. */
export function LookPreview({ colors, logo, scheme, onScheme }: LookPreviewProps) {
  const { name } = useSite();
  const [shown, setShown] = useState<(typeof PAGES)[number]>('home');
  const { data } = useQuery(read('GET /events/v1/events', { ends_after: 'now', per_page: 1 }));
  const event = data?.events[0];
  const local = useLocalPath();
  const paths = {
    home: local('/'),
    list: local('/events/'),
    month: local('/events/month/'),
    event: event ? new URL(event.url).pathname : undefined,
  };
  const change = useCallback(
    (page: Document) => {
      applyColors(page, colors, scheme);
      applyLogo(page, logo, name);
    },
    [colors, scheme, logo, name],
  );
  const choices = PAGES.filter((page) => paths[page] !== undefined);
  return (
    <section className="look-preview" aria-labelledby="preview">
      <h2 id="preview">{t('preview.title')}</h2>
      <div className="preview-choices">
        <SelectField
          label={t('preview.page')}
          value={shown}
          onChange={setShown}
          choices={choices.map((value) => ({ value, label: t(`preview.${value}`) }))}
        />
        <Views
          label={t('preview.scheme')}
          value={scheme}
          onChange={onScheme}
          choices={SCHEMES.map((value) => ({ value, label: t(`scheme.${value}`) }))}
        />
      </div>
      <PagePreview path={paths[shown] ?? local('/')} label={t(`preview.${shown}`)} change={change} />
    </section>
  );
}

/** The content security policy forbids style elements and attributes, but not properties set by a script. */
function applyColors({ documentElement: { style } }: Document, colors: SiteColors, scheme: 'light' | 'dark'): void {
  style.setProperty('color-scheme', scheme);
  for (const [token, color] of Object.entries(schemesOf(colors)[scheme])) style.setProperty(`--${token}`, color);
}

/** Original logo or name of a page. */
const SIGNS = new WeakMap<Element, Node[]>();

/** Replaces the logo of the page, or shows the name instead. */
function applyLogo(page: Document, logo: Picture | null, name: string): void {
  const sign = page.querySelector('.sign-name');
  if (!sign) return;
  const original = SIGNS.get(sign) ?? [...sign.childNodes];
  SIGNS.set(sign, original);
  const hadLogo = original.some((node) => node.nodeName === 'IMG');
  if (logo) sign.replaceChildren(imageOf(page, logo.url));
  else if (hadLogo) sign.replaceChildren(nameOf(page, name));
  else sign.replaceChildren(...original);
}

function imageOf(page: Document, url: string): Element {
  const image = page.createElement('img');
  image.className = 'sign-logo';
  image.src = url;
  return image;
}

function nameOf(page: Document, name: string): Element {
  const text = page.createElement('span');
  text.className = 'sign-text';
  text.textContent = name;
  return text;
}

/** Path of a page in the content language; all languages but the first have a prefix. */
function useLocalPath(): (path: string) => string {
  const { languages } = useSite();
  const language = useContentLanguage();
  const prefix = language === undefined || language === languages[0] ? '' : `/${language}`;
  return (path) => `${prefix}${path}`;
}
