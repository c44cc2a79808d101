import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Radio, RadioGroup } from 'react-aria-components/RadioGroup';
import type { Fields } from '../../../client/merge.ts';
import { read } from '../../data/queries.ts';
import { when } from '../../i18n/formats.ts';
import { t } from '../../i18n/texts.ts';
import { Button } from '../../ui/button.tsx';
import { DialogBox } from '../../ui/dialog-box.tsx';
import { plainText } from '../../ui/plain-text.ts';
import type { EditedRecord } from './use-record.ts';

interface ConflictDialogProps<R, F extends Fields> {
  edited: EditedRecord<R, F>;
  labelOf: (name: string) => string;
  /** Formats a value of a field. */
  show?: (name: string, value: unknown) => string;
}

const plain = (_name: string, value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** Both texts, without their markup unless only the markup differs. */
function shownBoth(yours: string, theirs: string): [string, string] {
  const texts = [plainText(yours), plainText(theirs)] as const;
  return texts[0] === texts[1] ? [yours, theirs] : [...texts];
}

/** Lets the user decide each field that was changed elsewhere at the same time, then saves. */
export function ConflictDialog<R, F extends Fields>({ edited, labelOf, show = plain }: ConflictDialogProps<R, F>) {
  const [choices, setChoices] = useState<Readonly<Record<string, 'yours' | 'theirs'>>>({});
  const { conflicts } = edited;
  if (conflicts.length === 0 || edited.isPostponed) return null;
  const settle = () => {
    for (const { name } of conflicts) edited.resolve(name, choices[name] ?? 'yours');
    setChoices({});
    void edited.save();
  };
  return (
    <DialogBox
      title={t('conflict.title')}
      role="alertdialog"
      onClose={edited.postpone}
      actions={
        <Button look="primary" onPress={settle}>
          {t('conflict.settle')}
        </Button>
      }
    >
      {edited.logged && <LastChange logged={edited.logged} />}
      <p>{t('conflict.text')}</p>
      {conflicts.map(({ name, theirs: other }) => {
        // The field may have changed since the conflict was found.
        const [yours, theirs] = shownBoth(show(name, edited.values[name]), show(name, other));
        return (
          <RadioGroup
            key={name}
            className="choices"
            aria-label={labelOf(name)}
            value={choices[name] ?? 'yours'}
            onChange={(choice) => setChoices({ ...choices, [name]: choice === 'theirs' ? 'theirs' : 'yours' })}
          >
            <span className="label" aria-hidden="true">
              {labelOf(name)}
            </span>
            <Choice value="yours" label={t('conflict.yours')} text={yours} />
            <Choice value="theirs" label={t('conflict.theirs')} text={theirs} />
          </RadioGroup>
        );
      })}
    </DialogBox>
  );
}

function Choice({ value, label, text }: { value: string; label: string; text: string }) {
  return (
    <Radio value={value} className="choice">
      <small>{label}</small>
      <span>{text || '—'}</span>
    </Radio>
  );
}

/** Author and time of the last change of the record. */
function LastChange({ logged }: { logged: NonNullable<EditedRecord<unknown, Fields>['logged']> }) {
  // Read when the conflict is found: an earlier result is about an earlier change.
  const { data, isFetchedAfterMount } = useQuery({
    ...read('GET /admin/v1/audit', { ...logged, per_page: 1 }),
    staleTime: 0,
  });
  const [last] = isFetchedAfterMount ? (data?.audit ?? []) : [];
  if (!last) return null;
  const name = last.user?.name ?? '';
  const moment = when.ago(last.date_utc);
  return <p>{name ? t('conflict.who', { name, when: moment }) : t('conflict.when', { when: moment })}</p>;
}
