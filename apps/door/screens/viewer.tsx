import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { camera } from '../scan/camera.ts';
import { Button } from './parts.tsx';
import { device } from './state.ts';
import { t } from './texts.ts';

interface ViewerProps {
  onText: (text: string) => void;
  /** Whether it shows the choice of cameras and the torch. */
  hasTools?: boolean;
}

/** Picture of the camera, searched for codes. */
export function Viewer({ onText, hasTools = false }: ViewerProps) {
  const video = useRef<HTMLVideoElement>(null);
  const listener = useRef(onText);
  useLayoutEffect(() => {
    listener.current = onText;
  });
  const chosen = device.choices.value.camera;
  const start = () => {
    const onText = (text: string) => listener.current(text);
    if (video.current) void camera.start(video.current, { deviceId: chosen, onText });
  };
  useEffect(() => {
    start();
    return () => camera.stop();
  }, [chosen]);

  const { state, hasTorch, isLit, cameras } = camera;
  const text = state.value !== 'on' && state.value !== 'off' && t(`camera.${state.value}`);
  const next =
    cameras.value[(cameras.value.findIndex(({ deviceId }) => deviceId === chosen) + 1) % cameras.value.length];
  return (
    <div class="viewer">
      <video ref={video} muted playsInline aria-label={t('camera')} />
      {state.value === 'on' && <div class="frame" aria-hidden="true" />}
      {text && state.value === 'starting' && <p class="camera-state">{text}</p>}
      {text && state.value !== 'starting' && (
        <button type="button" class="camera-state" onClick={start}>
          {text}
        </button>
      )}
      {hasTools && state.value === 'on' && (
        <div class="tools">
          {hasTorch.value && (
            <Button look="small" aria-pressed={isLit.value} onClick={() => void camera.light(!isLit.value)}>
              {t('torch')}
            </Button>
          )}
          {cameras.value.length > 1 && next && (
            <Button look="small" onClick={() => void device.choose({ camera: next.deviceId })}>
              {t('other_camera')}
            </Button>
          )}
        </div>
      )}
    </div>
  );
}
