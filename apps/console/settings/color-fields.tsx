import type { ColorName, SiteColors } from '../../../src/lib/theme.ts';
import { colorLabel, t } from './texts.ts';
import { isColor } from './weak-pairs.ts';

interface ColorFieldsProps {
  values: SiteColors;
  /** Those with too little contrast. */
  weak: ReadonlySet<ColorName>;
  onChange: (name: ColorName, color: string) => void;
}

const PAIRED = ['paper', 'panel', 'ink', 'accent', 'sign'] as const;

/** Id of the list of what is wrong with the colours. */
export const CONTRAST_ID = 'contrast';

/** The eleven colours: five in both schemes, and the lamps of both. */
export function ColorFields({ values, weak, onChange }: ColorFieldsProps) {
  const field = (name: ColorName) => (
    <ColorField name={name} value={values[name]} isWeak={weak.has(name)} onChange={(color) => onChange(name, color)} />
  );
  return (
    <div className="colors">
      <div className="colors-head" aria-hidden="true">
        <span>{t('scheme.light')}</span>
        <span>{t('scheme.dark')}</span>
      </div>
      {PAIRED.map((name) => (
        <div key={name} className="colors-row">
          <span className="label" aria-hidden="true">
            {t(`color.${name}`)}
          </span>
          {field(name)}
          {field(`${name}_dark`)}
        </div>
      ))}
      <div className="colors-row">
        <span className="label" aria-hidden="true">
          {t('color.lamp')}
        </span>
        {field('lamp')}
      </div>
    </div>
  );
}

interface ColorFieldProps {
  name: ColorName;
  value: string;
  isWeak: boolean;
  onChange: (color: string) => void;
}

/** A colour to pick or to type. */
function ColorField({ name, value, isWeak, onChange }: ColorFieldProps) {
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
        aria-invalid={isWeak || !isValid}
        aria-describedby={isWeak ? CONTRAST_ID : undefined}
        value={value}
        maxLength={7}
        autoComplete="off"
        spellCheck={false}
        onChange={({ target }) => onChange(target.value.trim())}
      />
    </span>
  );
}
