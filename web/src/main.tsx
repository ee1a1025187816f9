import { render } from 'preact'
import { connect } from './net/store'

connect()
const root = document.getElementById('app')
if (root) render(<p>Crewlab</p>, root)
