import {
  type ContextType,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useContext,
  useImperativeHandle,
  useRef,
  useState,
} from 'react';
import { Button as AriaButton } from 'react-aria-components/Button';
import { ComboBox, ComboBoxStateContext } from 'react-aria-components/ComboBox';
import { FieldError } from 'react-aria-components/FieldError';
import { Input } from 'react-aria-components/Input';
import { Label } from 'react-aria-components/Label';
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox';
import { Popover } from 'react-aria-components/Popover';
import { Tag, TagGroup, TagList } from 'react-aria-components/TagGroup';
import { Text } from 'react-aria-components/Text';
import { t } from '../i18n/texts.ts';
import { labelled } from './fields.tsx';
import { Icon } from './icon.tsx';
import './choice-box.css';

/** Option of the box; without an id, the record is created when the form is saved. */
export interface Choice {
  id?: number;
  name: string;
  /** Distinguishes equal names in the list. */
  detail?: string;
}

interface ChoiceBoxProps {
  label: string;
  value: readonly Choice[];
  onChange: (value: Choice[]) => void;
  /** Hook that finds options by words in their names, once the box is used (`isOn`); undefined until they are read. */
  useOptions: (search: string, isOn: boolean) => readonly Choice[] | undefined;
  /** Whether an unknown name may be chosen to create a record. */
  mayCreate?: boolean;
  /** Whether only one record can be chosen. */
  isSingle?: boolean;
  hint?: string | undefined;
  problem?: string | undefined;
  /** Below the box. */
  mark?: ReactNode;
  /** Reports the text that was typed but not chosen; empty for none. */
  onUnfinished?: (typed: string) => void;
}

const hasName =
  (name: string) =>
  (choice: Choice): boolean =>
    choice.name.trim().toLowerCase() === name.trim().toLowerCase();

const NEW = 'new';

/** Chooses one or several of many records by typing; may offer to create a missing one. */
export function ChoiceBox(props: ChoiceBoxProps) {
  const { label, value, onChange, isSingle = false, hint, problem, mark } = props;
  const list = useRef<List>(null);
  const { text, offered, created, onUse, onType, onSelect, onSettle, onKeyDown } = useTyping(props, list);
  const hasNew = value.some((choice) => choice.id === undefined);
  const settled = hasNew ? t('choice.made') : hint;
  const note = created ? t('choice.unfinished', { name: created }) : settled;
  return (
    <div className="choice-box">
      {!isSingle && value.length > 0 && <Chosen label={label} value={value} onChange={onChange} />}
      <ComboBox
        className="field"
        allowsCustomValue
        allowsEmptyCollection
        // The combo box never has a selected key, so it would open its list again after a choice.
        menuTrigger="manual"
        defaultFilter={() => true}
        inputValue={text}
        onInputChange={onType}
        selectedKey={null}
        onSelectionChange={onSelect}
        onFocus={onUse}
        onBlur={onSettle}
        onKeyDown={onKeyDown}
        isInvalid={problem !== undefined}
        // A value that the server refused may be sent again.
        validationBehavior="aria"
      >
        <Label>{label}</Label>
        <ListHolder list={list} />
        <Input className="input" autoComplete="off" />
        {note && (
          <Text slot="description" className="hint">
            {note}
          </Text>
        )}
        <FieldError className="field-error">{labelled(problem, label)}</FieldError>
        <Popover className="popover choice-popover" offset={4}>
          <Options offered={offered} created={created} />
        </Popover>
      </ComboBox>
      {mark}
    </div>
  );
}

/** The text of the box, the options that it finds, and how one of them is chosen. */
function useTyping(
  { value, onChange, useOptions, mayCreate = false, isSingle = false, onUnfinished }: ChoiceBoxProps,
  list: RefObject<List | null>,
) {
  const [typed, setTypedText] = useState<string>();
  const [isUsed, setUsed] = useState(false);
  const setTyped = (next: string | undefined) => {
    setTypedText(next);
    onUnfinished?.(next?.trim() ?? '');
  };
  const shown = isSingle ? (value[0]?.name ?? '') : '';
  const text = typed ?? shown;
  const search = (typed ?? '').trim();
  const found = useOptions(search, isUsed);
  const isTaken = (choice: Choice) => !isSingle && value.some(hasName(choice.name));
  const offered = found?.filter((choice) => choice.id !== undefined && !isTaken(choice));
  const isNew = mayCreate && search !== '' && !found?.some(hasName(search)) && !value.some(hasName(search));
  const choose = (choice: Choice) => {
    setTyped(undefined);
    list.current?.close();
    onChange(isSingle ? [choice] : [...value, choice]);
  };
  const onType = (next: string) => {
    if (next === text) return;
    setTyped(next);
    list.current?.open(null, 'manual');
  };
  const onSelect = (key: string | number | null) => {
    if (key === NEW) return choose({ name: search });
    const choice = offered?.find((one) => one.id === Number(key));
    if (key !== null && choice) choose(choice);
  };
  /** Chooses the record with the typed name. An unknown name stays in the field, and drops if it may not be created. */
  const onSettle = () => {
    if (typed === undefined) return;
    const known = offered?.find(hasName(search));
    if (known) choose(known);
    else if (!isNew) {
      setTyped(undefined);
      if (isSingle && search === '' && value.length > 0) onChange([]);
    }
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') setTyped(undefined);
    const isOnOption = event.currentTarget.getAttribute('aria-activedescendant') !== null;
    if (event.key !== 'Enter' || isOnOption || typed === undefined) return;
    event.preventDefault();
    // Several are entered one after another; a single one is created from the list only.
    if (isNew && !isSingle) choose({ name: search });
    else onSettle();
  };
  const created = isNew ? search : undefined;
  return { text, offered, created, onUse: () => setUsed(true), onType, onSelect, onSettle, onKeyDown };
}

function Chosen({ label, value, onChange }: Pick<ChoiceBoxProps, 'label' | 'value' | 'onChange'>) {
  return (
    <TagGroup
      aria-label={t('choice.chosen', { label })}
      onRemove={(keys) => onChange(value.filter(({ name }) => !keys.has(name)))}
    >
      <TagList className="choice-tags">
        {value.map(({ name }) => (
          <Tag key={name} id={name} textValue={name} className="choice-tag">
            <span>{name}</span>
            <AriaButton slot="remove" className="choice-remove" aria-label={t('choice.remove', { name })}>
              <Icon name="close" />
            </AriaButton>
          </Tag>
        ))}
      </TagList>
    </TagGroup>
  );
}

interface OptionsProps {
  /** Undefined until they are read. */
  offered: readonly Choice[] | undefined;
  /** Name of a record that is created by its choice. */
  created: string | undefined;
}

function Options({ offered, created }: OptionsProps) {
  const empty = t(offered ? 'choice.none' : 'loading');
  return (
    <ListBox className="menu" renderEmptyState={() => <p className="choice-none">{empty}</p>}>
      {offered?.map((choice) => (
        <ListBoxItem key={choice.id} id={choice.id ?? ''} textValue={choice.name} className="menu-item">
          <span>{choice.name}</span>
          {choice.detail && <small className="choice-detail">{choice.detail}</small>}
        </ListBoxItem>
      ))}
      {created && (
        <ListBoxItem id={NEW} textValue={created} className="menu-item">
          <Icon name="plus" />
          {t('choice.new', { name: created })}
        </ListBoxItem>
      )}
    </ListBox>
  );
}

type List = NonNullable<ContextType<typeof ComboBoxStateContext>>;

/** Gives access to the list of the surrounding combo box. */
function ListHolder({ list }: { list: RefObject<List | null> }) {
  const state = useContext(ComboBoxStateContext);
  useImperativeHandle<List | null, List | null>(list, () => state, [state]);
  return null;
}
