import { render } from 'preact'
import { App, keep } from './app'
import { connect } from './net/store'
import './style.css'

keep()
connect()
const root = document.getElementById('app')
if (root) render(<App />, root)
