import { type FormEvent, type ReactNode, useRef, useState } from 'react';
import { Form } from 'react-aria-components/Form';
import { isProblem } from '../../../client/problem.ts';
import { Button } from '../../ui/button.tsx';
import { FormProblem } from '../../ui/states.tsx';
import { t } from './routes.ts';

interface StepFormProps {
  title: string;
  text: string;
  /** What the button does. */
  act: string;
  onNext: () => void;
  /** Saves what was typed, given the value of a field by its name. */
  save: (typed: (name: string) => string) => Promise<void>;
  /** The fields, given what the server says against each of them. */
  children: (problems: Readonly<Record<string, string>>) => ReactNode;
}

/** One step: it saves and goes on, or goes on without saving. */
export function StepForm({ title, text, act, onNext, save, children }: StepFormProps) {
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  // Two presses within a moment save once.
  const isSaving = useRef(false);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isSaving.current) return;
    const sent = new FormData(event.currentTarget);
    isSaving.current = true;
    setBusy(true);
    try {
      await save((name) => String(sent.get(name) ?? ''));
      onNext();
    } catch (caught) {
      setError(caught);
    } finally {
      isSaving.current = false;
      setBusy(false);
    }
  };
  const problems = isProblem(error) ? error.fields : {};
  return (
    <section className="form-section" aria-labelledby="step">
      <h2 id="step">{title}</h2>
      <p>{text}</p>
      <Form className="form" onSubmit={(event) => void submit(event)}>
        {error !== undefined && Object.keys(problems).length === 0 && <FormProblem error={error} />}
        {children(problems)}
        <div className="actions">
          <Button type="submit" look="primary" isPending={isBusy}>
            {act}
          </Button>
          <Button look="plain" onPress={onNext} isDisabled={isBusy}>
            {t('skip')}
          </Button>
        </div>
      </Form>
    </section>
  );
}
