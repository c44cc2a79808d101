import { signal } from '@preact/signals';

/** Milliseconds between two tries. */
const PAUSE = 100;
/** Milliseconds without a code after which the camera sleeps. */
const SLEEP = 60_000;

type CameraState = 'off' | 'starting' | 'on' | 'asleep' | 'refused' | 'missing' | 'broken';

interface Light extends MediaTrackCapabilities {
  torch?: boolean;
}

/**
 * The camera: looks for codes in the middle of its picture. One instance serves all screens, and keeps the thread that
 * reads codes.
 */
class Camera {
  readonly state = signal<CameraState>('off');
  readonly hasTorch = signal(false);
  readonly isLit = signal(false);
  readonly cameras = signal<MediaDeviceInfo[]>([]);

  #onText: (text: string) => void = () => undefined;
  #decoder: Worker | undefined;
  #stream: MediaStream | undefined;
  #video: HTMLVideoElement | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #found = 0;
  #starts = 0;

  /** Shows the camera in an element and looks for codes until `stop`. */
  async start(video: HTMLVideoElement, { deviceId, onText }: StartOptions): Promise<void> {
    this.stop();
    const start = this.#starts;
    this.#video = video;
    this.#onText = onText;
    this.state.value = 'starting';
    try {
      const choice = deviceId ? { deviceId: { ideal: deviceId } } : { facingMode: { ideal: 'environment' } };
      const size = { width: { ideal: 1280 }, height: { ideal: 720 } };
      const stream = await navigator.mediaDevices.getUserMedia({ video: { ...choice, ...size }, audio: false });
      // The screen may have been left, or another camera chosen meanwhile.
      if (this.#starts !== start) return stopTracks(stream);
      this.#stream = stream;
      video.srcObject = stream;
      await video.play();
    } catch (error) {
      if (this.#starts === start) this.state.value = stateOf(error);
      return;
    }
    const [track] = this.#stream?.getVideoTracks() ?? [];
    this.hasTorch.value = ((track?.getCapabilities?.() ?? {}) as Light).torch === true;
    track?.addEventListener('ended', () => {
      if (this.#stream?.getVideoTracks()[0] === track) this.state.value = 'broken';
    });
    const devices = await navigator.mediaDevices.enumerateDevices().catch(() => []);
    if (this.#starts !== start) return;
    this.cameras.value = devices.filter(({ kind }) => kind === 'videoinput');
    this.#decoder ??= this.#newDecoder();
    this.#found = Date.now();
    this.state.value = 'on';
    this.#look();
  }

  stop(): void {
    this.#starts += 1;
    clearTimeout(this.#timer);
    if (this.#stream) stopTracks(this.#stream);
    if (this.#video) this.#video.srcObject = null;
    this.#stream = undefined;
    this.#video = undefined;
    this.isLit.value = false;
    this.state.value = 'off';
  }

  async light(isLit: boolean): Promise<void> {
    const [track] = this.#stream?.getVideoTracks() ?? [];
    // Not in the types of the DOM yet.
    await track?.applyConstraints({ advanced: [{ torch: isLit } as MediaTrackConstraintSet] }).catch(() => undefined);
    this.isLit.value = isLit;
  }

  #newDecoder(): Worker {
    const decoder = new Worker(new URL('../workers/decoder.ts', import.meta.url), { type: 'module', name: 'decoder' });
    decoder.addEventListener('message', ({ data }: MessageEvent<{ text: string | null }>) => {
      if (this.state.value !== 'on') return;
      if (data.text !== null) {
        this.#found = Date.now();
        this.#onText(data.text);
      }
      if (Date.now() - this.#found > SLEEP) this.#sleep();
      else this.#soon();
    });
    decoder.addEventListener('error', () => {
      // Without a network its file may be missing: the next start loads it anew.
      decoder.terminate();
      this.#decoder = undefined;
      this.stop();
      this.state.value = 'broken';
    });
    return decoder;
  }

  #sleep(): void {
    this.stop();
    this.state.value = 'asleep';
  }

  #look(): void {
    const video = this.#video;
    if (!video || this.state.value !== 'on') return;
    const isSeen = document.visibilityState === 'visible' && video.videoWidth > 0;
    if (!isSeen) this.#soon();
    else
      pictureOf(video).then(
        (picture) => this.#decoder?.postMessage(picture, [picture]),
        () => this.#soon(),
      );
  }

  /**
   * Looks again after a pause; only once, even if the result of a picture from before the last start arrives meanwhile.
   */
  #soon(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#look(), PAUSE);
  }
}

interface StartOptions {
  /** Chosen camera; undefined for the one at the back. */
  deviceId: string | undefined;
  onText: (text: string) => void;
}

export const camera = new Camera();

/** The present picture, without reading its pixels: this thread has to respond to taps. */
async function pictureOf(video: HTMLVideoElement): Promise<VideoFrame | ImageBitmap> {
  // Older versions of Safari and Firefox lack it.
  return 'VideoFrame' in globalThis ? new VideoFrame(video) : createImageBitmap(video);
}

function stopTracks(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop();
}

function stateOf(error: unknown): CameraState {
  const name = error instanceof DOMException ? error.name : '';
  if (name === 'NotAllowedError') return 'refused';
  return name === 'NotFoundError' || error instanceof TypeError ? 'missing' : 'broken';
}
