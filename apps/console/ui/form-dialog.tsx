import { type FormEvent, type ReactNode, useId } from 'react';
import { Form } from 'react-aria-components/Form';
import { Button } from './button.tsx';
import { DialogBox } from './dialog-box.tsx';

/** Value of a field of a form by its name; empty if there is no such field. */
export type FieldValue = (name: string) => string;

/** Values of a form that is submitted, which the page handles itself. */
export function fieldValues(event: FormEvent<HTMLFormElement>): FieldValue {
  event.preventDefault();
  const data = new FormData(event.currentTarget);
  return (name) => String(data.get(name) ?? '');
}

interface FormDialogProps {
  title: string;
  /** Label of the button. */
  action: string;
  onSubmit: (value: FieldValue) => void;
  onClose: () => void;
  /** Label of a button that closes the dialog, which also has one in its corner. */
  cancel?: string;
  isPending?: boolean;
  isDisabled?: boolean;
  children: ReactNode;
}

/** Dialog with a form. */
export function FormDialog(props: FormDialogProps) {
  const { title, action, onSubmit, onClose, cancel, isPending = false, isDisabled = false, children } = props;
  const form = useId();
  return (
    <DialogBox
      title={title}
      onClose={onClose}
      actions={
        <>
          {cancel !== undefined && <Button onPress={onClose}>{cancel}</Button>}
          <Button type="submit" form={form} look="primary" isPending={isPending} isDisabled={isDisabled}>
            {action}
          </Button>
        </>
      }
    >
      <Form id={form} className="form" onSubmit={(event) => onSubmit(fieldValues(event))}>
        {children}
      </Form>
    </DialogBox>
  );
}
