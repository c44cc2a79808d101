import type { CancellationRule } from '../../../../packages/client/src/marquee-client.ts';
import { SelectField } from '../../ui/fields.tsx';
import { PositiveField } from './fields.tsx';
import { t } from './routes.ts';

const RULES = ['never', 'free', 'until'] as const;

/** Default deadline: two days. */
const USUAL_HOURS = 48;

/** Describes a rule in a sentence. */
export const ruleText = ({ rule, hours_before }: CancellationRule): string =>
  rule === 'until' ? t('rule.until_hours', { count: hours_before ?? 0 }) : t(`rule.${rule}`);

interface CancellationFieldProps {
  value: CancellationRule;
  onChange: (rule: CancellationRule) => void;
  problem: string | undefined;
}

/** Deadline until which customers may cancel. */
export function CancellationField({ value, onChange, problem }: CancellationFieldProps) {
  const { rule, hours_before } = value;
  return (
    <>
      <SelectField
        label={t('rule.label')}
        hint={t('rule.hint')}
        problem={rule === 'until' ? undefined : problem}
        value={rule}
        onChange={(next) =>
          onChange({ rule: next, hours_before: next === 'until' ? (hours_before ?? USUAL_HOURS) : null })
        }
        choices={RULES.map((one) => ({ value: one, label: t(`rule.${one}`) }))}
      />
      {rule === 'until' && (
        <PositiveField
          label={t('rule.hours')}
          hint={ruleText(value)}
          problem={problem}
          value={hours_before ?? USUAL_HOURS}
          onChange={(hours) => onChange({ rule, hours_before: hours })}
        />
      )}
    </>
  );
}
