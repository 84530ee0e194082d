import DefaultTheme from 'vitepress/theme'
import './sequence.css'

export default DefaultTheme
