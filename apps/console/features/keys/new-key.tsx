import { type FormEvent, useId, useState } from 'react';
import { Form } from 'react-aria-components/Form';
import type { NewCheckInKey } from '../../../../packages/client/src/marquee-client.ts';
import { call } from '../../../client/call.ts';
import { isProblem } from '../../../client/problem.ts';
import { refresh } from '../../data/queries.ts';
import { EventPicker } from '../../shared/pickers/event-picker.tsx';
import { Button } from '../../ui/button.tsx';
import { DialogBox } from '../../ui/dialog-box.tsx';
import { TextField } from '../../ui/fields.tsx';
import { describe } from '../../ui/states.tsx';
import { t } from './routes.ts';

interface NewKeyProps {
  onClose: () => void;
  onMade: (key: NewCheckInKey) => void;
}

/** Makes a key for one event or for all. */
export function NewKey({ onClose, onMade }: NewKeyProps) {
  const form = useId();
  const [event_id, setEvent] = useState<number>();
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    const name = String(new FormData(event.currentTarget).get('name') ?? '');
    try {
      const made = await call('POST /admin/v1/check-in-keys', { name, ...(event_id !== undefined && { event_id }) });
      onMade(made);
      await refresh('/admin/v1/check-in-keys');
    } catch (caught) {
      setError(caught);
      setBusy(false);
    }
  };
  const fields = isProblem(error) ? error.fields : {};
  return (
    <DialogBox
      title={t('new')}
      onClose={onClose}
      actions={
        <Button type="submit" form={form} look="primary" isPending={isBusy}>
          {t('make')}
        </Button>
      }
    >
      <Form id={form} className="form" onSubmit={(event) => void submit(event)}>
        {error !== undefined && fields.name === undefined && (
          <p className="form-problem" role="alert">
            {fields.event_id ?? describe(error)}
          </p>
        )}
        <TextField
          name="name"
          label={t('name')}
          hint={t('name.hint')}
          problem={fields.name}
          maxLength={100}
          isRequired
          autoFocus
        />
        <EventPicker label={t('for')} value={event_id} onChange={setEvent} />
      </Form>
    </DialogBox>
  );
}
