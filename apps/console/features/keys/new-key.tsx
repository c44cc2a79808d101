import { useState } from 'react';
import type { NewCheckInKey } from '../../../../packages/client/src/marquee-client.ts';
import { call } from '../../../client/call.ts';
import { fieldProblems } from '../../../client/problem.ts';
import { useAction } from '../../data/actions.ts';
import { refresh } from '../../data/queries.ts';
import { EventPicker } from '../../shared/pickers/record-picker.tsx';
import { TextField } from '../../ui/fields.tsx';
import { type FieldValue, FormDialog } from '../../ui/form-dialog.tsx';
import { FormProblem } from '../../ui/states.tsx';
import { t } from './routes.ts';

interface NewKeyProps {
  onClose: () => void;
  onCreated: (key: NewCheckInKey) => void;
}

/** Creates a key for one event or for all. */
export function NewKey({ onClose, onCreated }: NewKeyProps) {
  const [event_id, setEvent] = useState<number>();
  const create = useAction(
    (value: FieldValue) =>
      call('POST /admin/v1/check-in-keys', { name: value('name'), ...(event_id !== undefined && { event_id }) }),
    {
      onSuccess: (key) => {
        onCreated(key);
        return refresh('/admin/v1/check-in-keys');
      },
    },
  );
  return (
    <FormDialog
      title={t('new')}
      action={t('make')}
      isPending={create.isPending}
      onSubmit={create.run}
      onClose={onClose}
    >
      <FormProblem error={create.error} fields={['name']} />
      <TextField
        name="name"
        label={t('name')}
        hint={t('name.hint')}
        problem={fieldProblems(create.error).name}
        maxLength={100}
        isRequired
        autoFocus
      />
      <EventPicker label={t('for')} value={event_id} onChange={setEvent} />
    </FormDialog>
  );
}
