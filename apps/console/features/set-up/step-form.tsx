import type { ReactNode } from 'react';
import { Form } from 'react-aria-components/Form';
import { fieldProblems } from '../../../client/problem.ts';
import { useAction } from '../../data/actions.ts';
import { Button } from '../../ui/button.tsx';
import { type FieldValue, fieldValues } from '../../ui/form-dialog.tsx';
import { FormProblem } from '../../ui/states.tsx';
import { t } from './routes.ts';

interface StepFormProps {
  title: string;
  text: string;
  /** Label of the button. */
  action: string;
  onNext: () => void;
  save: (value: FieldValue) => Promise<void>;
  /** The fields, given the problem of each. */
  children: (problems: Readonly<Record<string, string>>) => ReactNode;
}

/** A step of the set-up: saves and continues, or continues without saving. */
export function StepForm({ title, text, action, onNext, save, children }: StepFormProps) {
  const saving = useAction(save, { onSuccess: onNext });
  return (
    <section className="form-section" aria-labelledby="step">
      <h2 id="step">{title}</h2>
      <p>{text}</p>
      <Form className="form" onSubmit={(event) => saving.run(fieldValues(event))}>
        <FormProblem error={saving.error} />
        {children(fieldProblems(saving.error))}
        <div className="actions">
          <Button type="submit" look="primary" isPending={saving.isPending}>
            {action}
          </Button>
          <Button look="plain" onPress={onNext} isDisabled={saving.isPending}>
            {t('skip')}
          </Button>
        </div>
      </Form>
    </section>
  );
}
