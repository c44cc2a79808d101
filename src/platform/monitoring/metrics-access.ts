import { can, type Viewer } from '../../http/core/auth.ts';
import type { RequestHeaders } from '../../http/core/request.ts';
import { isSameSecret } from '../../lib/hash.ts';

/**
 * Headers of proxies. An undeclared proxy on this machine makes every visitor look local; any of these headers shows
 * that the request came from elsewhere.
 */
const FORWARDING =
  /^(x-forwarded(-.*)?|x-original-.*|x-(real|client|cluster-client|remote|envoy-external)-(ip|addr|address)|forwarded(-.*)?|via|cf-.*|true-client-ip|fastly-.*|fly-client-ip|x-azure-.*|x-appengine-.*|x-arr-.*)$/i;

const LOCAL_NAME = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

interface RequestOrigin {
  /** Address of the client, behind trusted proxies. */
  address: string;
  /** Contains the host sent by the client. */
  url: URL;
  headers: RequestHeaders;
}

/** Tests if a request comes from this machine, without a proxy. */
function isLocal({ address, url, headers }: RequestOrigin): boolean {
  if (!/^(127\.|::1$)/.test(address) || !LOCAL_NAME.test(url.hostname)) return false;
  return ![...headers.keys()].some((name) => FORWARDING.test(name));
}

interface Reader extends RequestOrigin {
  /** Value of MARQUEE_METRICS_TOKEN. */
  token?: string;
  /** Checks the credentials of the request; called last. */
  viewer(): Promise<Viewer | undefined>;
}

/** Tests if a viewer may see internals of the process: this machine, holders of the token, administrators. */
export async function mayWatch(reader: Reader): Promise<boolean> {
  if (isLocal(reader)) return true;
  const sent = /^bearer +(\S+)\s*$/i.exec(reader.headers.get('authorization') ?? '')?.[1];
  if (reader.token !== undefined && sent !== undefined && isSameSecret(sent, reader.token)) return true;
  const viewer = await reader.viewer();
  return viewer !== undefined && can(viewer, 'manage_users');
}
