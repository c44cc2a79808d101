import { type FormEvent, useRef, useState } from 'react';
import { Form } from 'react-aria-components/Form';
import { randomKey } from '../../../packages/client/src/marquee-client.ts';
import { call } from '../../client/call.ts';
import { isProblem } from '../../client/problem.ts';
import { contentLanguage } from '../frame/content-language.ts';
import { refresh } from '../frame/queries.ts';
import { Button } from '../parts/button.tsx';
import { DialogBox } from '../parts/dialog-box.tsx';
import { describe } from '../parts/states.tsx';
import { TextField } from '../parts/text-field.tsx';
import { KINDS, type Kind } from './kinds.ts';
import { t } from './texts.ts';

interface NewProps {
  kind: Kind;
  onMade: (id: number) => void;
  onClose: () => void;
}

/** Makes a draft with a name; everything else is filled in on its page. */
export function NewLinkedPost({ kind, onMade, onClose }: NewProps) {
  const [name, setName] = useState('');
  const [error, setError] = useState<unknown>();
  const [isMaking, setMaking] = useState(false);
  // A press that is repeated makes one record.
  const key = useRef(randomKey());
  const field = KINDS[kind].name;
  const make = async (event: FormEvent) => {
    event.preventDefault();
    if (isMaking) return;
    setMaking(true);
    try {
      const language = contentLanguage();
      const operation = `POST /events/v1/${kind}` as 'POST /events/v1/venues';
      const sent = { [field]: name, status: 'draft' } as unknown as { venue: string };
      const { id } = await call(operation, sent, { key: key.current, ...(language !== undefined && { language }) });
      await refresh(`/admin/v1/${kind}`);
      onMade(id);
    } catch (caught) {
      key.current = randomKey();
      setError(caught);
      setMaking(false);
    }
  };
  const problem = isProblem(error) ? error.fields[field] : undefined;
  return (
    <DialogBox title={t(`new.${kind}`)} onClose={onClose}>
      <Form className="form" onSubmit={(event) => void make(event)}>
        <TextField label={t('name')} value={name} onChange={setName} problem={problem} autoFocus isRequired />
        {error !== undefined && problem === undefined && (
          <p className="form-problem" role="alert">
            {describe(error)}
          </p>
        )}
        <div>
          <Button type="submit" look="primary" isPending={isMaking}>
            {t('make')}
          </Button>
        </div>
      </Form>
    </DialogBox>
  );
}
