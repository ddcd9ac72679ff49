import { connect, createServer, type Socket } from 'node:net';

/** Starts a network between the site and a server that can be cut. */
export async function startNetwork(serverUrl: string) {
  const { hostname, port: serverPort } = new URL(serverUrl);
  const sockets = new Set<Socket>();
  let isCut = false;
  const network = createServer((near) => {
    if (isCut) return near.resetAndDestroy();
    const far = connect(Number(serverPort), hostname);
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket);
      socket.pipe(other);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
  });
  const listen = (port: number) => new Promise<void>((resolve) => network.listen(port, '127.0.0.1', resolve));
  await listen(0);
  const { port } = network.address() as { port: number };
  return {
    url: serverUrl.replace(serverPort, String(port)),
    /** Ends what is connected; nobody can connect until it is mended. */
    async cut() {
      isCut = true;
      const closed = new Promise((resolve) => network.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
    async mend() {
      isCut = false;
      await listen(port);
    },
  };
}
