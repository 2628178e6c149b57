/** A TCP proxy in front of a database server that fails on demand in the ways in which networks fail. */
import { connect, createServer, type Server, type Socket } from 'node:net'
import type { Test } from 'tap'

/**
 * `none`: all goes through. `refuse`: nobody listens. `reset`: connections are reset, new ones at once.
 * `deaf`: what the client says gets lost; `silent`: what the server says does. `slow`: the server's bytes come
 * one packet every 20 ms. `truncate`: connections end after some bytes of an answer.
 */
export type Fault = 'none' | 'refuse' | 'reset' | 'deaf' | 'silent' | 'slow' | 'truncate'

export interface FaultyNetwork {
  readonly port: number
  /** Lets this happen from now on, to open connections too. */
  set(fault: Fault): Promise<void>
}

export async function startProxy(t: Test, target: { host: string; port: number }): Promise<FaultyNetwork> {
  const pairs = new Set<{ client: Socket; server: Socket }>()
  let fault: Fault = 'none'

  const accept = (client: Socket) => {
    if (fault === 'reset') return void client.resetAndDestroy()
    const server = connect(target)
    const pair = { client, server }
    pairs.add(pair)
    for (const [socket, other] of [
      [client, server],
      [server, client]
    ] as const) {
      socket.setNoDelay(true)
      socket.on('error', () => other.destroy())
      socket.on('close', () => {
        pairs.delete(pair)
        // while bytes get lost, so does the end of a connection
        if (fault !== 'deaf' && fault !== 'silent') other.destroy()
      })
    }
    client.on('data', (data) => {
      if (fault !== 'deaf') server.write(data)
    })
    server.on('data', (data) => {
      if (fault === 'silent') return
      if (fault === 'truncate') return void client.end(data.subarray(0, 7))
      if (fault !== 'slow') return void client.write(data)
      server.pause()
      setTimeout(() => {
        client.write(data)
        server.resume()
      }, 20)
    })
  }

  const listen = (port: number) =>
    new Promise<Server>((resolve, reject) => {
      const server = createServer(accept)
      server.once('error', reject)
      server.listen(port, '127.0.0.1', () => resolve(server))
    })
  const cut = () => {
    for (const { client, server } of pairs) {
      client.resetAndDestroy()
      server.destroy()
    }
    pairs.clear()
  }

  let listener = await listen(0)
  const { port } = listener.address() as { port: number }
  t.teardown(() => {
    cut()
    listener.close()
  })
  return {
    port,
    async set(next) {
      const before = fault
      fault = next
      if (next === 'reset') cut()
      if (next === 'refuse') {
        listener.close()
        cut()
      } else if (before === 'refuse') listener = await listen(port)
    }
  }
}
