import { useId } from 'react';
import { Swatch } from '../../ui/icon.tsx';
import { t } from './routes.ts';

/** Colours that are distinguishable in both schemes, by their names. */
const PROPOSED = {
  red: '#c8553d',
  orange: '#e09f3e',
  green: '#5a9b5a',
  teal: '#2a9d8f',
  blue: '#4a7fb5',
  purple: '#8a63a8',
} as const;

interface ColorChoiceProps {
  /** `#rrggbb`; empty for none. */
  value: string;
  onChange: (color: string) => void;
  problem: string | undefined;
}

/** The colour of a category: none, a proposed one or any other. */
export function ColorChoice({ value, onChange, problem }: ColorChoiceProps) {
  const id = useId();
  const proposed = Object.entries(PROPOSED) as [keyof typeof PROPOSED, string][];
  const isOwn = value !== '' && !proposed.some(([, color]) => color === value);
  return (
    <fieldset className="color-choice" aria-describedby={`${id}-hint`}>
      <legend className="label">{t('color')}</legend>
      <div className="color-spots">
        <label className="color-none">
          <input type="radio" name={id} checked={value === ''} onChange={() => onChange('')} />
          {t('color.none')}
        </label>
        {proposed.map(([name, color]) => (
          <label key={name} title={t(`color.${name}`)}>
            <input
              type="radio"
              name={id}
              checked={value === color}
              aria-label={t(`color.${name}`)}
              onChange={() => onChange(color)}
            />
            <Swatch color={color} />
          </label>
        ))}
        <label>
          <input
            type="radio"
            name={id}
            checked={isOwn}
            aria-label={t('color.own')}
            onChange={() => onChange('#808080')}
          />
          <input
            type="color"
            aria-label={t('color.pick')}
            value={value || '#808080'}
            onChange={({ target }) => onChange(target.value)}
          />
        </label>
      </div>
      <span id={`${id}-hint`} className="hint">
        {t('color.hint')}
      </span>
      {problem && (
        <span className="field-error" role="alert">
          {problem}
        </span>
      )}
    </fieldset>
  );
}
