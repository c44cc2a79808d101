import { useState } from 'react';
import { Form } from 'react-aria-components/Form';
import type { PaymentWay } from '../../../../packages/client/src/marquee-client.ts';
import { Button } from '../../ui/button.tsx';
import { DialogBox } from '../../ui/dialog-box.tsx';
import { SelectField, TextField } from '../../ui/fields.tsx';
import { PositiveField } from './fields.tsx';
import { KNOWN_WAYS, newWayId } from './payment-way.ts';
import { t } from './routes.ts';
import { AddButton, RowsField } from './rows-field.tsx';

const MOST = 10;

interface PaymentWaysProps {
  value: readonly PaymentWay[];
  onChange: (ways: PaymentWay[]) => void;
  problem: string | undefined;
}

/** Payment methods, in the order of the checkout. */
export function PaymentWays({ value, onChange, problem }: PaymentWaysProps) {
  const [isNaming, setNaming] = useState(false);
  const ids = value.map(({ id }) => id);
  const missing = KNOWN_WAYS.filter((id) => !ids.includes(id));
  const add = (id: string, name: string) => onChange([...value, { id, name, text: '', hold_hours: null }]);
  return (
    <>
      <RowsField<PaymentWay>
        label={t('field.payment_ways')}
        hint={t(value.length === 0 ? 'hint.ways_none' : 'hint.ways')}
        value={value}
        onChange={onChange}
        problem={problem}
        nameOf={({ name }) => name}
        isOrdered
        actions={
          value.length < MOST && (
            <>
              {missing.map((id) => (
                <AddButton key={id} onAdd={() => add(id, t(`way.${id}`))}>
                  {t(`way.${id}`)}
                </AddButton>
              ))}
              <Button icon="plus" onPress={() => setNaming(true)}>
                {t('way.other')}
              </Button>
            </>
          )
        }
      >
        {(way, change) => <WayFields way={way} change={change} />}
      </RowsField>
      {isNaming && (
        <NewWay
          onClose={() => setNaming(false)}
          onMake={(name) => {
            add(newWayId(name, ids), name);
            setNaming(false);
          }}
        />
      )}
    </>
  );
}

interface WayFieldsProps {
  way: PaymentWay;
  change: (changes: Partial<PaymentWay>) => void;
}

const HOLDS = ['usual', 'ever', 'hours'] as const;

function holdOf({ hold_hours }: PaymentWay): (typeof HOLDS)[number] {
  if (hold_hours === null) return 'usual';
  return hold_hours === 0 ? 'ever' : 'hours';
}

/** Default hours until an unpaid order expires: three days, the time of a bank transfer. */
const USUAL_HOURS = 72;

function WayFields({ way, change }: WayFieldsProps) {
  const hold = holdOf(way);
  const hours = { usual: null, ever: 0, hours: USUAL_HOURS };
  return (
    <>
      <TextField label={t('way.name')} value={way.name} onChange={(name) => change({ name })} maxLength={100} />
      <SelectField
        label={t('way.hold')}
        value={hold}
        onChange={(next) => change({ hold_hours: hours[next] })}
        choices={HOLDS.map((one) => ({ value: one, label: holdText(one, way.id) }))}
      />
      {hold === 'hours' && (
        <PositiveField
          label={t('way.hours')}
          value={way.hold_hours ?? USUAL_HOURS}
          onChange={(hold_hours) => change({ hold_hours })}
        />
      )}
      <TextField
        label={t('way.text')}
        hint={t('way.text_hint')}
        value={way.text}
        onChange={(text) => change({ text })}
        rows={3}
        maxLength={2000}
      />
    </>
  );
}

const holdText = (hold: (typeof HOLDS)[number], id: string): string =>
  t(hold === 'usual' && id === 'door' ? 'hold.until_over' : `hold.${hold}`);

/** Asks for the name first, since the permanent id is derived from it. */
function NewWay({ onClose, onMake }: { onClose: () => void; onMake: (name: string) => void }) {
  const [name, setName] = useState('');
  return (
    <DialogBox title={t('way.other')} onClose={onClose}>
      <Form
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          if (name.trim()) onMake(name.trim());
        }}
      >
        <TextField label={t('way.name')} value={name} onChange={setName} maxLength={100} isRequired autoFocus />
        <div>
          <Button type="submit" look="primary">
            {t('way.add')}
          </Button>
        </div>
      </Form>
    </DialogBox>
  );
}
