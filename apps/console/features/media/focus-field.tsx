import { useState } from 'react';
import { Label } from 'react-aria-components/Label';
import { Slider, SliderThumb, SliderTrack } from 'react-aria-components/Slider';
import type { Media } from '../../../../packages/client/src/marquee-client.ts';
import { t } from './routes.ts';

interface Point {
  x: number;
  y: number;
}

interface FocusFieldProps {
  picture: Pick<Media, 'url' | 'alt'>;
  /** Per cent from the left and the top. */
  value: Point;
  onChange: (point: Point) => void;
  problem?: string | undefined;
  isReadOnly: boolean;
}

/** Sets the point that stays visible when a picture is cropped: by a click in the picture, or by two sliders. */
export function FocusField({ picture, value, onChange, problem, isReadOnly }: FocusFieldProps) {
  const [isOpen, setOpen] = useState(false);
  const position = `${value.x}% ${value.y}%`;
  return (
    <div className="focus-field">
      <FocusImage picture={picture} value={value} onChange={isReadOnly ? undefined : onChange} />
      {!isReadOnly && (
        <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
          <summary>{t('focus')}</summary>
          <p className="hint">{t('focus.hint')}</p>
          <Axis label={t('focus.x')} value={value.x} onChange={(x) => onChange({ ...value, x })} />
          <Axis label={t('focus.y')} value={value.y} onChange={(y) => onChange({ ...value, y })} />
          {isOpen && (
            <img src={picture.url} alt={t('focus.preview')} className="focus-preview" ref={placeAt(position)} />
          )}
        </details>
      )}
      {problem && <span className="field-error">{problem}</span>}
    </div>
  );
}

/** Set by a script, since the policy forbids style attributes. */
const placeAt = (position: string) => (image: HTMLImageElement | null) => {
  if (image) image.style.objectPosition = position;
};

interface FocusImageProps {
  picture: Pick<Media, 'url' | 'alt'>;
  value: Point;
  onChange: ((point: Point) => void) | undefined;
}

const share = (offset: number, length: number): number => Math.round(Math.min(Math.max(offset / length, 0), 1) * 100);

function FocusImage({ picture: { url, alt = '' }, value, onChange }: FocusImageProps) {
  const place = (mark: HTMLSpanElement | null) => {
    if (!mark) return;
    mark.style.insetInlineStart = `${value.x}%`;
    mark.style.insetBlockStart = `${value.y}%`;
  };
  return (
    // The sliders do the same for the keyboard.
    // biome-ignore lint/a11y/useKeyWithClickEvents: see above
    // biome-ignore lint/a11y/noStaticElementInteractions: see above
    <div
      className="focus-image"
      onClick={({ clientX, clientY, currentTarget }) => {
        const { left, top, width, height } = currentTarget.getBoundingClientRect();
        onChange?.({ x: share(clientX - left, width), y: share(clientY - top, height) });
      }}
    >
      <img src={url} alt={alt} />
      {onChange && <span className="focus-mark" ref={place} />}
    </div>
  );
}

function Axis({ label, value, onChange }: { label: string; value: number; onChange: (value: number) => void }) {
  return (
    <Slider className="slider" value={value} onChange={onChange} minValue={0} maxValue={100}>
      <Label>{label}</Label>
      <SliderTrack className="slider-track">
        <SliderThumb className="slider-thumb" />
      </SliderTrack>
    </Slider>
  );
}
