import { useState } from 'react';
import type { ImportDetails } from '../../../../packages/client/src/marquee-client.ts';
import { call } from '../../../client/call.ts';
import { fieldProblems } from '../../../client/problem.ts';
import { useAction } from '../../data/actions.ts';
import { refresh } from '../../data/queries.ts';
import { Button } from '../../ui/button.tsx';
import { labelled } from '../../ui/fields.tsx';
import { FormProblem } from '../../ui/states.tsx';
import { t } from './routes.ts';
import { fieldName } from './words.ts';

/** The columns of a table, each with the field that it fills. */
export function Mapping({ item, onConfirmed }: { item: ImportDetails; onConfirmed: () => void }) {
  const { id, columns, fields } = item;
  const [chosen, setChosen] = useState(() => columns.map(({ field }) => field));
  const confirm = useAction(() => call('POST /admin/v1/imports/{id}/columns', { id, columns: chosen }), {
    onSuccess: async () => {
      await refresh('/admin/v1/imports');
      onConfirmed();
    },
  });
  const refused = fieldProblems(confirm.error).columns;
  /** Gives a column its field, and takes the field from another column that has it. */
  const choose = (column: number, field: string) =>
    setChosen((now) => now.map((one) => (one === field ? '' : one)).with(column, field));
  return (
    <section aria-labelledby="import-columns">
      <h2 id="import-columns">{t('columns')}</h2>
      <p className="soft">{t('columns.text')}</p>
      <ul className="cards">
        {columns.map(({ heading, samples }, column) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: columns are told apart by their places
          <li key={column} className="card import-column">
            <div>
              <p>{heading || t('columns.unnamed', { number: String(column + 1) })}</p>
              <p className="soft">{samples.filter((sample) => sample !== '').join(' · ')}</p>
            </div>
            <FieldChoice
              label={t('columns.field', { heading: heading || String(column + 1) })}
              value={chosen[column] ?? ''}
              fields={fields}
              onChange={(field) => choose(column, field)}
            />
          </li>
        ))}
      </ul>
      {refused ? (
        <p className="form-problem" role="alert">
          {labelled(refused, t('columns'))}
        </p>
      ) : (
        <FormProblem error={confirm.error} />
      )}
      <div className="actions">
        <Button look="primary" isPending={confirm.isPending} onPress={() => confirm.run()}>
          {t('columns.confirm')}
        </Button>
      </div>
    </section>
  );
}

interface FieldChoiceProps {
  label: string;
  /** Empty for none. */
  value: string;
  fields: readonly string[];
  onChange: (field: string) => void;
}

const FieldChoice = ({ label, value, fields, onChange }: FieldChoiceProps) => (
  <div className="field">
    <select aria-label={label} value={value} onChange={({ target }) => onChange(target.value)}>
      <option value="">{t('columns.none')}</option>
      {fields.map((field) => (
        <option key={field} value={field}>
          {fieldName(field)}
        </option>
      ))}
    </select>
  </div>
);
