import { useId } from 'react';
import type { ColorName, SiteColors, WeakPair } from '../../../../../src/lib/theme.ts';
import { colorLabel, t } from '../routes.ts';
import { WeakPairs } from './contrast.tsx';
import { isColor } from './weak-pairs.ts';

interface ColorFieldsProps {
  values: SiteColors;
  /** What has too little contrast, by the colour that mends it. */
  weak: ReadonlyMap<ColorName, readonly WeakPair[]>;
  onChange: (name: ColorName, color: string) => void;
}

/** Five colours in both schemes, and the lamps of both. */
const ROWS = [
  ['paper', 'paper_dark'],
  ['panel', 'panel_dark'],
  ['ink', 'ink_dark'],
  ['accent', 'accent_dark'],
  ['sign', 'sign_dark'],
  ['lamp'],
] as const;

/** The eleven colours; what is wrong with one stands below it. */
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
  /** Id of what says why it is hard to read. */
  problemId: string | undefined;
  onChange: (color: string) => void;
}

/** A colour to pick or to type. */
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
