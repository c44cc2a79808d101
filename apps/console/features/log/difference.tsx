import { useQueries } from '@tanstack/react-query';
import { useState } from 'react';
import type { AuditChange } from '../../../../packages/client/src/marquee-client.ts';
import { useMe } from '../../data/account.ts';
import { languageName } from '../../i18n/formats.ts';
import { Button } from '../../ui/button.tsx';
import { plainText } from '../../ui/plain-text.ts';
import { nameQuery } from './names.ts';
import { t } from './routes.ts';
import { formatValue, type Target, targetOf } from './values.ts';
import { fieldName, useValueWords } from './words.ts';

interface DifferenceProps {
  kind: string;
  change: AuditChange;
}

/** A field with its old and new value. */
export function Difference({ kind, change }: DifferenceProps) {
  const { field, language, hidden, shortened } = change;
  const { before, after } = readable(change);
  const heading = [fieldName(kind, field), language && languageName(language)].filter(Boolean).join(' · ');
  return (
    <section className="difference">
      <h3>{heading}</h3>
      {hidden ? (
        <p className="soft">{t(`hidden.${hidden}`)}</p>
      ) : (
        <dl>
          <div>
            <dt>{t('before')}</dt>
            <dd>
              <del>
                <Value kind={kind} field={field} value={before} />
              </del>
            </dd>
          </div>
          <div>
            <dt>{t('after')}</dt>
            <dd>
              <ins>
                <Value kind={kind} field={field} value={after} />
              </ins>
            </dd>
          </div>
        </dl>
      )}
      {shortened && <p className="soft">{t('shortened')}</p>}
    </section>
  );
}

/** Fields that contain HTML. */
const HTML: ReadonlySet<string> = new Set(['description', 'about', 'terms', 'privacy', 'refunds']);

/** Texts without markup, unless only the markup changed. */
function readable({ field, before, after }: AuditChange): Pick<AuditChange, 'before' | 'after'> {
  if (!HTML.has(field)) return { before, after };
  const [plainBefore, plainAfter] = [before, after].map((value) =>
    typeof value === 'string' ? plainText(value) : undefined,
  );
  return plainBefore === plainAfter ? { before, after } : { before: plainBefore, after: plainAfter };
}

interface ValueProps {
  kind: string;
  field: string;
  value: unknown;
}

function Value({ kind, field, value }: ValueProps) {
  const words = useValueWords();
  if (value === undefined || value === null) return <span className="soft">{t('empty')}</span>;
  const target = targetOf(field, value);
  if (target) return <Names target={target} ids={[value].flat() as number[]} />;
  return <LongText text={formatValue(words, kind, field, value)} />;
}

/** Names of records; their ids until the names are read, or if there are none. */
function Names({ target, ids }: { target: Target; ids: readonly number[] }) {
  const me = useMe();
  const names = useQueries({ queries: ids.map((id) => nameQuery(target, id, me)) });
  return <>{ids.map((id, index) => names[index]?.data || t('number', { id: String(id) })).join('\n')}</>;
}

/** Characters of a long text that are shown at first, and the excess that is worth a button. */
const SHORT = 400;
const SLACK = 100;

function LongText({ text }: { text: string }) {
  const [isWhole, setWhole] = useState(false);
  if (isWhole || text.length <= SHORT + SLACK) return <>{text}</>;
  return (
    <>
      {/* Whole characters: half an emoji is none. */}
      {`${Array.from(text.slice(0, SHORT + 1))
        .slice(0, -1)
        .join('')} … `}
      <Button onPress={() => setWhole(true)}>{t('show_all')}</Button>
    </>
  );
}
