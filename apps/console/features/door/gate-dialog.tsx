import { useState } from 'react';
import type { Event, Gate, GateChange } from '../../../../packages/client/src/marquee-client.ts';
import { call } from '../../../client/call.ts';
import { fieldProblems } from '../../../client/problem.ts';
import { useMe } from '../../data/account.ts';
import { useAction } from '../../data/actions.ts';
import { refresh } from '../../data/queries.ts';
import { hasEventRight, SELLS } from '../../data/rights.ts';
import { RemovalDialog } from '../../shared/record/removal-dialog.tsx';
import { SelectField, Switch, TextField } from '../../ui/fields.tsx';
import { type FieldValue, FormDialog } from '../../ui/form-dialog.tsx';
import { FormProblem } from '../../ui/states.tsx';
import { t } from './routes.ts';

interface GateDialogProps {
  event: Event;
  /** Undefined for a new one. */
  gate: Gate | undefined;
  onClose: () => void;
}

/** Fields besides the name and the strict minutes. */
type Rules = Pick<Gate, 'modes' | 'reentry' | 'names' | (typeof FLAGS)[number]>;

const FLAGS = ['may_search', 'may_undo', 'may_override', 'needs_pin', 'may_sell'] as const;
const MODES = ['in', 'out', 'look'] as const;
const REENTRIES = ['never', 'after_out', 'always'] as const;
const NAMES = ['full', 'short', 'none'] as const;

const NEW_GATE: Rules = {
  modes: ['in', 'out', 'look'],
  reentry: 'after_out',
  names: 'full',
  may_search: true,
  may_undo: true,
  may_override: false,
  needs_pin: false,
  may_sell: false,
};

/** Creates or changes a gate: its name, and the rights of its devices. */
export function GateDialog({ event, gate, onClose }: GateDialogProps) {
  const [rules, setRules] = useState<Rules>(gate ?? NEW_GATE);
  const maySell = hasEventRight(useMe(), SELLS, event);
  const save = useAction(
    (value: FieldValue) => {
      const input = inputOf(rules, value);
      return gate
        ? call('PATCH /admin/v1/door/gates/{id}', { id: gate.id, ...input })
        : call('POST /admin/v1/door/gates', { ...input, event_ids: [event.id] });
    },
    { onSuccess: onClose, onSettled: () => refresh('/admin/v1/door') },
  );
  const problems = fieldProblems(save.error);
  return (
    <FormDialog
      title={gate ? t('edit_of', { name: gate.name }) : t('new')}
      action={gate ? t('save') : t('make')}
      isPending={save.isPending}
      onSubmit={save.run}
      onClose={onClose}
    >
      <FormProblem error={save.error} fields={['name', 'strict_minutes']} />
      <TextField
        name="name"
        label={t('name')}
        hint={t('name.hint')}
        problem={problems.name}
        defaultValue={gate?.name ?? ''}
        maxLength={100}
        isRequired
        autoFocus={!gate}
      />
      <RuleFields rules={rules} maySell={maySell} onChange={(changed) => setRules({ ...rules, ...changed })} />
      <TextField
        name="strict_minutes"
        label={t('strict')}
        hint={t('strict.hint')}
        problem={problems.strict_minutes}
        inputMode="numeric"
        defaultValue={gate?.strict_minutes === null || !gate ? '' : String(gate.strict_minutes)}
        maxLength={5}
      />
    </FormDialog>
  );
}

function inputOf(rules: Rules, value: FieldValue) {
  const { modes, reentry, names } = rules;
  const flags = Object.fromEntries(FLAGS.map((flag) => [flag, rules[flag]]));
  const strict = value('strict_minutes').trim();
  return {
    name: value('name'),
    modes,
    reentry,
    names,
    ...flags,
    // The server refuses any other text, at its field.
    strict_minutes: strict === '' ? null : (Number(strict) as GateChange['strict_minutes']),
  };
}

interface RuleFieldsProps {
  rules: Rules;
  /** Whether the user may let a gate sell. */
  maySell: boolean;
  onChange: (changed: Partial<Rules>) => void;
}

/** Rights of the devices of a gate. */
function RuleFields({ rules, maySell, onChange }: RuleFieldsProps) {
  return (
    <>
      <fieldset className="door-modes">
        <legend className="label">{t('modes')}</legend>
        {MODES.map((mode) => (
          <Switch
            key={mode}
            isSelected={rules.modes.includes(mode)}
            onChange={(isOn) =>
              onChange({ modes: MODES.filter((one) => (one === mode ? isOn : rules.modes.includes(one))) })
            }
          >
            {t(`mode.${mode}`)}
          </Switch>
        ))}
      </fieldset>
      <SelectField
        label={t('reentry')}
        value={rules.reentry}
        onChange={(reentry) => onChange({ reentry })}
        choices={REENTRIES.map((value) => ({ value, label: t(`reentry.${value}`) }))}
      />
      <SelectField
        label={t('names')}
        value={rules.names}
        onChange={(names) => onChange({ names })}
        choices={NAMES.map((value) => ({ value, label: t(`names.${value}`) }))}
      />
      {FLAGS.filter((flag) => flag !== 'may_sell' || maySell).map((flag) => (
        <Switch key={flag} isSelected={rules[flag]} onChange={(isOn) => onChange({ [flag]: isOn })}>
          {t(flag)}
        </Switch>
      ))}
    </>
  );
}

/** Deletes a gate for good, after saying how many devices stop. */
export function DeleteGate({ gate: { id, name, devices }, onClose }: { gate: Gate; onClose: () => void }) {
  return (
    <RemovalDialog
      title={t('delete_of', { name })}
      action={t('delete')}
      done={t('deleted', { name })}
      remove={() => call('DELETE /admin/v1/door/gates/{id}', { id })}
      path="/admin/v1/door"
      gone={id}
      onClose={onClose}
    >
      <p>{t('delete.text', { count: devices })}</p>
    </RemovalDialog>
  );
}
