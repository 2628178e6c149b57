/** The ratios as a picture: one row a scenario, one mark a rival, on a logarithmic axis. */
import * as vega from 'vega'
import { compile } from 'vega-lite'
import { serversIn } from './document.ts'
import { isAlone, ratioOf } from './figures.ts'
import type { Results } from './results.ts'
import { ours } from './servers.ts'

export async function pictureOf(results: Results): Promise<string> {
  const rivals = serversIn(results).filter((name) => !name.startsWith(ours))
  const values = results.scenarios.filter(isAlone).flatMap(({ name }) =>
    rivals.flatMap((rival) => {
      const ratio = ratioOf(results, name, ours, rival, 1)
      return ratio ? [{ scenario: name, rival, ratio: ratio.value, one: ratio.single ? 'one request' : 'rounds' }] : []
    })
  )
  const { spec } = compile({
    title: `Requests/s of ours, times those of each rival; scale ${results.scale}, one connection`,
    background: 'white',
    data: { values },
    width: 640,
    height: { step: 18 },
    layer: [
      {
        mark: { type: 'point', filled: true, size: 60 },
        encoding: {
          x: { field: 'ratio', type: 'quantitative', scale: { type: 'log' }, title: 'times faster (logarithmic)' },
          y: { field: 'scenario', type: 'nominal', sort: null, title: null, axis: { labelLimit: 400, grid: true } },
          color: { field: 'rival', type: 'nominal', sort: rivals, title: 'rival', legend: { labelLimit: 300 } },
          shape: { field: 'one', type: 'nominal', title: 'measured by' }
        }
      },
      { mark: { type: 'rule', strokeWidth: 2 }, encoding: { x: { datum: 1 } } }
    ]
  })
  return new vega.View(vega.parse(spec), { renderer: 'none' }).toSVG()
}
