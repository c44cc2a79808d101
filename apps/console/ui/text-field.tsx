import { FieldError } from 'react-aria-components/FieldError';
import { Input } from 'react-aria-components/Input';
import { Label } from 'react-aria-components/Label';
import { Text } from 'react-aria-components/Text';
import { TextArea } from 'react-aria-components/TextArea';
import { type TextFieldProps as AriaProps, TextField as AriaTextField } from 'react-aria-components/TextField';

interface TextFieldProps extends Omit<AriaProps, 'children' | 'className'> {
  label: string;
  /** One line below the field. */
  hint?: string | undefined;
  /** Why the server refuses the value. */
  problem?: string | undefined;
  /** Lines of a text with several of them. */
  rows?: number;
  placeholder?: string;
}

/** A field for text with its label, its hint and what is wrong with it. */
export function TextField({ label, hint, problem, rows, placeholder, ...props }: TextFieldProps) {
  const isRefused = problem !== undefined;
  return (
    // What the server refused must not keep the browser from sending another value.
    <AriaTextField
      {...props}
      isInvalid={isRefused}
      validationBehavior={isRefused ? 'aria' : 'native'}
      className="field"
    >
      <Label>{label}</Label>
      {rows ? <TextArea rows={rows} placeholder={placeholder} /> : <Input placeholder={placeholder} />}
      {hint && (
        <Text slot="description" className="hint">
          {hint}
        </Text>
      )}
      <FieldError className="field-error">{problem}</FieldError>
    </AriaTextField>
  );
}
