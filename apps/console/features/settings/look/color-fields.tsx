import { useId } from 'react';
import type { ColorName, SiteColors, WeakPair } from '../../../../../src/lib/theme.ts';
import { colorLabel, t } from '../routes.ts';
import { isColor, roundedDown } from './weak-pairs.ts';

interface ColorFieldsProps {
  values: SiteColors;
  /** Pairs with too little contrast, by the colour to change. */
  weak: ReadonlyMap<ColorName, readonly WeakPair[]>;
  onChange: (name: ColorName, color: string) => void;
}

/** Five colours in both schemes, and the lamp colour. */
const ROWS = [
  ['paper', 'paper_dark'],
  ['panel', 'panel_dark'],
  ['ink', 'ink_dark'],
  ['accent', 'accent_dark'],
  ['sign', 'sign_dark'],
  ['lamp'],
] as const;

/** The eleven theme colours, each with its validation message. */
export function ColorFields({ values, weak, onChange }: ColorFieldsProps) {
  const id = useId();
  return (
    <div className="colors">
      <div className="colors-head" aria-hidden="true">
        <span>{t('scheme.light')}</span>
        <span>{t('scheme.dark')}</span>
      </div>
      {ROWS.map((names) => (
        <div key={names[0]} className="colors-row">
          <span className="label" aria-hidden="true">
            {t(`color.${names[0]}`)}
          </span>
          {names.map((name) => (
            <ColorField
              key={name}
              name={name}
              value={values[name]}
              problemId={weak.has(name) ? `${id}-${name}` : undefined}
              onChange={(color) => onChange(name, color)}
            />
          ))}
          {names.map((name) => {
            const pairs = weak.get(name);
            return pairs && <WeakPairs key={name} id={`${id}-${name}`} pairs={pairs} />;
          })}
        </div>
      ))}
    </div>
  );
}

interface ColorFieldProps {
  name: ColorName;
  value: string;
  /** Id of the message about its contrast. */
  problemId: string | undefined;
  onChange: (color: string) => void;
}

/** Field for a colour: a picker and a text. */
function ColorField({ name, value, problemId, onChange }: ColorFieldProps) {
  const label = colorLabel(name);
  const isValid = isColor(value);
  return (
    <span className="color-field">
      <input
        type="color"
        aria-label={t('color.pick', { color: label })}
        value={isValid ? value : '#000000'}
        onChange={({ target }) => onChange(target.value)}
      />
      <input
        className="input"
        aria-label={label}
        aria-invalid={problemId !== undefined || !isValid}
        aria-describedby={problemId}
        value={value}
        maxLength={7}
        autoComplete="off"
        spellCheck={false}
        onChange={({ target }) => onChange(target.value.trim())}
      />
    </span>
  );
}

/** Reports contrast problems while typing. The server refuses such colours. */
export function ContrastBadge({ weak }: { weak: ReadonlyMap<ColorName, readonly WeakPair[]> }) {
  const count = [...weak.values()].reduce((sum, pairs) => sum + pairs.length, 0);
  return (
    <span className={count === 0 ? 'badge good' : 'badge bad'} role="status">
      {count === 0 ? t('contrast.good') : t('contrast.bad', { count })}
    </span>
  );
}

/** Maximum number of pairs named per colour. */
const MOST = 3;

/** Contrast problems of one colour. */
function WeakPairs({ id, pairs }: { id: string; pairs: readonly WeakPair[] }) {
  const left = pairs.length - MOST;
  return (
    <ul id={id} className="weak-pairs">
      {pairs.slice(0, MOST).map(({ color, ground, scheme, ratio, needed }) => (
        <li key={`${color} ${ground}`}>
          {t('contrast.pair', {
            color: t(`token.${color}`),
            ground: t(`token.${ground}`),
            scheme: t(`scheme.${scheme}`),
            ratio: roundedDown(ratio),
            needed,
          })}
        </li>
      ))}
      {left > 0 && <li>{t('contrast.more', { count: left })}</li>}
    </ul>
  );
}
