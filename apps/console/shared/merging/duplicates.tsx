import type { Duplicates } from '../../../../packages/client/src/marquee-client.ts';
import { t } from '../../i18n/common.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import './duplicates.css';

type Pair = Duplicates['duplicates'][number];
type Named = Pair['records'][number];

interface DuplicatesProps {
  pairs: readonly Pair[];
  /** What tells records of one name from each other. */
  detailOf: (record: Named) => string;
  onCompare: (ids: number[]) => void;
}

/** Says above a list, quietly, which of its records are probably the same. */
export function DuplicatesNotice({ pairs, detailOf, onCompare }: DuplicatesProps) {
  if (pairs.length === 0) return null;
  return (
    <details className="duplicates">
      <summary>
        <Icon name="copy" />
        {t('duplicates', { count: pairs.length })}
      </summary>
      <ul>
        {pairs.map(({ records }) => (
          <li key={records.map(({ id }) => id).join()}>
            <span>
              {records.map((record) => (
                <span key={record.id} className="duplicate">
                  {record.title} <small className="soft">{detailOf(record)}</small>
                </span>
              ))}
            </span>
            <Button
              aria-label={t('duplicates.compare_named', { names: records.map(({ title }) => title).join(', ') })}
              onPress={() => onCompare(records.map(({ id }) => id))}
            >
              {t('duplicates.compare')}
            </Button>
          </li>
        ))}
      </ul>
    </details>
  );
}
