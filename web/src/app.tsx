// The layout of the page.

import { useEffect } from 'preact/hooks'
import { keepHand } from './map/hand'
import { keepLegend } from './map/legend-view'
import { MapArea } from './map/map'
import { keepStages } from './map/stage'
import { keepKeys } from './map/view-keys'
import { connected, hello, lanes } from './net/store'
import { CompareBar } from './panels/compare'
import { Help } from './panels/help'
import { Questions } from './panels/question'
import { Arrival, keepArrival } from './panels/shelf/arrival'
import { changes, keepShelf } from './panels/shelf/shelf'
import { Side } from './panels/side'
import { Timeline } from './panels/timeline'
import { Transport } from './panels/transport'
import { tipHandlers } from './ui/button'
import { Toasts } from './ui/notify'
import { keepWatch } from './ui/selection'

/** Everything that runs while the page is open. */
export function keep() {
  keepStages()
  keepLegend()
  keepHand()
  keepKeys()
  keepWatch()
  keepShelf()
  keepArrival()
}

export function App() {
  const name = lanes.value[0]?.scene.name
  useEffect(() => {
    document.title = name ? `${name} – Crewlab` : 'Crewlab'
  }, [name])
  return (
    <div class="app">
      <a class="skip" href="#map" data-tip="Skip the toolbar at the top" {...tipHandlers}>
        Skip to the map
      </a>
      <header class="top">
        <Transport />
        <CompareBar />
      </header>
      <main id="map" class="middle" tabIndex={-1}>
        <MapArea />
      </main>
      <aside class="side" aria-label="Details">
        <Side key={changes.value} />
      </aside>
      <footer class="bottom">
        <Timeline />
      </footer>
      <Questions />
      <Arrival />
      <Help />
      <Toasts />
      {!connected.value && hello.value && (
        <p class="lost" role="alert">
          Connection lost. Reconnecting…
        </p>
      )}
    </div>
  )
}
