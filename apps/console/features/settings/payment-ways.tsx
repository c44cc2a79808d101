import { useState } from 'react';
import { Form } from 'react-aria-components/Form';
import type { PaymentWay, Site } from '../../../../packages/client/src/marquee-client.ts';
import { Button } from '../../ui/button.tsx';
import { DialogBox } from '../../ui/dialog-box.tsx';
import { SelectField, Switch, TextField } from '../../ui/fields.tsx';
import { PositiveField } from './fields.tsx';
import { choosableGateways, KNOWN_WAYS, newWay, newWayId } from './payment-way.ts';
import { t } from './routes.ts';
import { AddButton, RowsField } from './rows-field.tsx';

const MOST = 10;

type Gateways = NonNullable<Site['gateways']>;

interface PaymentWaysProps {
  gateways: Gateways;
  value: readonly PaymentWay[];
  onChange: (ways: PaymentWay[]) => void;
  problem: string | undefined;
}

/** Payment methods, in the order of the checkout. */
export function PaymentWays({ gateways, value, onChange, problem }: PaymentWaysProps) {
  const [isNaming, setNaming] = useState(false);
  const ids = value.map(({ id }) => id);
  const missing = KNOWN_WAYS.filter((id) => !ids.includes(id));
  const add = (id: string, name: string) => onChange([...value, newWay(id, name, gateways)]);
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
        {(way, change) => <WayFields way={way} change={change} gateways={gateways} />}
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
  gateways: Gateways;
}

const HOLDS = ['usual', 'ever', 'hours'] as const;

function holdOf({ hold_hours, at_door }: PaymentWay): (typeof HOLDS)[number] {
  if (hold_hours === null) return 'usual';
  return hold_hours === 0 && !at_door ? 'ever' : 'hours';
}

/** Default hours until an unpaid order expires: three days, the time of a bank transfer; at the door a day before. */
const usualHours = ({ at_door }: PaymentWay): number => (at_door ? 24 : 72);

function WayFields({ way, change, gateways }: WayFieldsProps) {
  const hold = holdOf(way);
  const hours = { usual: null, ever: 0, hours: usualHours(way) };
  return (
    <>
      <TextField label={t('way.name')} value={way.name} onChange={(name) => change({ name })} maxLength={100} />
      <div>
        <Switch
          isSelected={way.at_door}
          onChange={(at_door) => change({ at_door, hold_hours: null, gateway: 'manual' })}
        >
          {t('way.at_door')}
        </Switch>
        <p className="hint">{t('way.at_door_hint')}</p>
      </div>
      {!way.at_door && <GatewayField way={way} change={change} gateways={gateways} />}
      <SelectField
        label={t('way.hold')}
        value={hold}
        onChange={(next) => change({ hold_hours: hours[next] })}
        choices={HOLDS.filter((one) => !way.at_door || one !== 'ever').map((one) => ({
          value: one,
          label: holdText(one, way),
        }))}
      />
      {hold === 'hours' && (
        <PositiveField
          label={t(way.at_door ? 'way.hours_before' : 'way.hours')}
          value={way.hold_hours ?? usualHours(way)}
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

function GatewayField({ way: { gateway }, change, gateways }: WayFieldsProps) {
  const missing = gateways.find(({ id }) => id === gateway)?.missing ?? [];
  return (
    <SelectField
      label={t('way.gateway')}
      hint={missing.length > 0 ? t('way.unavailable', { settings: missing.join(', ') }) : t('way.gateway_hint')}
      value={gateway}
      onChange={(next) => change({ gateway: next })}
      choices={choosableGateways(gateway, gateways).map((id) => ({ value: id, label: t(`gateway.${id}`) }))}
    />
  );
}

function holdText(hold: (typeof HOLDS)[number], { at_door }: PaymentWay): string {
  if (!at_door) return t(`hold.${hold}`);
  return t(hold === 'usual' ? 'hold.until_over' : 'hold.hours_before');
}

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
