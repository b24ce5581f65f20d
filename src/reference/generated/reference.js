/*!
This file contains:

preact 11.2.0

The MIT License (MIT)

Copyright (c) 2015-present Jason Miller

Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all
copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
SOFTWARE.
*/
var h,Le,Ut,M,de,re,$e,ee,Ie,me,fe,Bt,V=Symbol.for("pv"),se={},ie=[],Ft=/^m(i|n|o|s|text|space)$/,ge=Array.isArray,Me=ie.slice,F=Object.assign;function B(e){e&&e.parentNode&&e.remove()}function te(e,t,n,o,r){var s={type:e,props:t,key:n,ref:o,__k:null,__:null,__b:0,__e:null,__c:null,constructor:V,__v:r||++Le,__i:-1,__u:0};return!r&&h.vnode&&h.vnode(s),s}function w(e){return e.children}function ne(e,t){this.props=e,this.context=t,this.__g=0}function D(e,t){if(t==null)return e.__&&D(e.__,e.__i+1);for(var n;t<e.__k.length;t++)if((n=e.__k[t])&&n.__e)return n.__e;return typeof e.type!="function"||e.props.__P?null:D(e)}function jt(e){var t,n=e.__v,o=n.__e,r=[],s=[],i=e.__P;i&&((t=F({constructor:V},n)).__v=n.__v+1,h.vnode&&h.vnode(t),he(i,t,n,e.__n,i.namespaceURI,32&n.__u?[o]:null,r,o||D(n),32&n.__u,s),t.__v=n.__v,t.__.__k[t.__i]=t,Fe(r,t,s),n.__=n.__e=null,t.__e!=o&&De(t))}function De(e){if((e=e.__)&&e.__c&&!e.props.__P)return e.__e=null,e.__k.some(function(t){return t&&(e.__e=t.__e)}),De(e)}function Re(e){(8&e.__g||(e.__g|=8,M.push(e),re++))&&de==h.debounceRendering||((de=h.debounceRendering)||queueMicrotask)(He)}function He(){try{for(var e,t=1;M.length;)M.length>t&&M.sort($e),e=M.shift(),t=M.length,8&e.__g&&jt(e)}finally{(re=M.length)&&(de||queueMicrotask)(He)}}function qe(e,t,n,o,r,s,i,l,_,f,u){var d,c,a,m,E,y,v=o.__k||ie,g=t.length;for(_=Gt(n,t,v,_,g),d=0;d<g;d++)(a=n.__k[d])!=null&&(c=~a.__i&&v[a.__i]||se,a.__i=d,y=he(e,a,c,r,s,i,l,_,f,u),m=a.__e,(c.ref!=a.ref||8&c.__u)&&(c.ref&&ye(c.ref,null,a,c),a.ref&&u.push(a.ref,a.__c||m,a)),E=E||m,4&a.__u?(_=Ue(a,_,e,!c.__v),c.__e&&(c.__e=null)):typeof a.type=="function"&&y!==void 0?_=y:m&&(_=m.nextSibling),a.__u&=-21);return n.__e=E,_}function Gt(e,t,n,o,r){var s,i,l,_,f,u,d,c,a,m=n.length,E=m,y=0,v=0,g=e.__k=Array(r);for(s=0;s<r;s++)(i=t[s])!=null&&typeof i!="boolean"&&typeof i!="function"?(typeof i!="object"||i.constructor===String?i=g[s]=te(null,i):ge(i)?i=g[s]=te(w,{children:i}):i.constructor===V&&i.__b?i=g[s]=te(i.type,i.props,i.key,i.ref,i.__v):g[s]=i,_=s+y,i.__=e,i.__b=e.__b+1,l=null,~(f=i.__i=Vt(i,n,_,E))&&(E--,(l=n[f])&&(l.__u|=2)),l&&l.__v?(i.__u|=16,f==_-1?y--:f==_+1?y++:f!=_&&(f>_?y--:y++,v=1)):(~f||(r>m?y--:r<m&&y++),typeof i.type!="function"&&(i.__u|=4))):g[s]=null;if(v){for(u=[],d=[],s=0;s<r;s++)if((i=g[s])&&16&i.__u){for(y=0,c=u.length;y<c;)u[a=y+c>>1]<i.__i?y=a+1:c=a;u[y]=i.__i,d[s]=y+1}for(y=u.length;s--;)d[s]&&(d[s]==y?y--:g[s].__u|=4)}if(E)for(s=0;s<m;s++)!(l=n[s])||2&l.__u||(l.__e==o&&(o=D(l)),ve(l,l));return o}function Ue(e,t,n,o){var r,s,i,l;if(typeof e.type=="function"){if(e.props.__P)return t;if(r=e.__k)for(s=0;s<r.length;s++)r[s]&&(r[s].__=e,t=Ue(r[s],t,n,!1));return t}for(t&&!t.parentNode&&(t=D(e))&&!t.parentNode&&(t=null),i=e.__e,l=t;l&&l.nodeType==8;)l=l.nextSibling;for(i!=l&&(!o&&n.moveBefore&&i.parentNode?n.moveBefore(i,t):n.insertBefore(i,t||null)),t=i;(t=t&&t.nextSibling)&&t.nodeType==8&&!t.data.startsWith("$s"););return t}function Vt(e,t,n,o){var r,{key:s,type:i}=e,l=t[n],_=l&&!(2&l.__u);if(l===null&&s==null||_&&s==l.key&&i==l.type)return n;if(o>(_?1:0)){for(r=n-1;r>=0;r--)if((l=t[r])&&!(2&l.__u)&&s==l.key&&i==l.type)return r;for(r=n+1;r<t.length;r++)if((l=t[r])&&!(2&l.__u)&&s==l.key&&i==l.type)return r}return-1}function Oe(e,t,n){n==null&&(n=""),t[0]=="-"?e.setProperty(t,n):e[t]=n}function Z(e,t,n,o,r){var s,i;if(t=="style")if(typeof n=="string")e.style.cssText=n;else{if(typeof o=="string"&&(e.style.cssText=o=""),o)for(t in o)n&&t in n||Oe(e.style,t);if(n)for(t in n)o&&n[t]==o[t]||Oe(e.style,t,n[t])}else if(t[0]=="o"&&t[1]=="n")typeof n!="function"&&(n=null),typeof o!="function"&&(o=null),(e.__e||(e.__e={}))[t]=n,n&&o||(i=fe[t]||(fe[t]=Jt(t)),(e.__a||(e.__a={}))[t]=me,s=t!=(t=t.replace(Ie,"$1")),(t=t.slice(2))[0]<"a"&&(t=t.toLowerCase()),n?e.addEventListener(t,i,s):e.removeEventListener(t,i,s));else{if(r=="http://www.w3.org/2000/svg")t=t.replace(/xlink(H|:h)/,"h").replace(/sName$/,"s");else if(t!="width"&&t!="height"&&t!="href"&&t!="list"&&t!="form"&&t!="tabIndex"&&t!="download"&&t!="rowSpan"&&t!="colSpan"&&t!="role"&&t!="popover"&&t in e)try{return void(e[t]=n==null?"":n)}catch(l){}if(typeof n=="function")return;n==null||n===!1&&t[4]!="-"?e.removeAttribute(t):e.setAttribute(t,t=="popover"&&n==1?"":n)}}function Jt(e){return function(t){var n=this.__e;if(n){if(n=n[e],t[ee]==null)t[ee]=me++;else if(t[ee]<this.__a[e])return;return n(h.event?h.event(t):t)}}}function he(e,t,n,o,r,s,i,l,_,f){var u,d,c,a,m,E,y,v,g,C,x,pe,Ae,Q,q,Ne,I,U,L=t.type;if(t.constructor!==V)return null;128&n.__u&&(_=32&n.__u,u=n.__c.__z)&&(t.__u|=_,d=s=[],u.nodeType==8?l=oe(u,s):s.push(u),l=s[0]||l),(u=h.__b)&&u(t);e:if(typeof L=="function"){c=i.length;try{if(v=t.props,g=(u=L.prototype)&&u.render,C=(u=L.contextType)&&o[u.__c],x=u?C?C.props.value:u.__:o,(a=n.__c)?(t.__c=a,2&a.__g&&(a.__g|=1)):(g?t.__c=a=new L(v,x):(t.__c=a=new ne(v,x),a.constructor=L,a.render=Wt),C&&C.sub(a),a.state||(a.state={}),a.__n=o,a.__g|=8,a.__h=[],a.__k=[]),g&&(a.__s||(a.__s=a.state),L.getDerivedStateFromProps&&(a.__s==a.state&&(a.__s=F({},a.__s)),F(a.__s,L.getDerivedStateFromProps(v,a.__s)))),m=a.props,E=a.state,a.__v=t,n.__c){if(v!==m&&g&&!L.getDerivedStateFromProps&&a.componentWillReceiveProps&&a.componentWillReceiveProps(v,x),t.__v==n.__v&&!(8&a.__g)||!(4&a.__g)&&a.shouldComponentUpdate&&a.shouldComponentUpdate(v,a.__s,x)===!1){t.__v!=n.__v&&(a.props=v,a.state=a.__s,a.__g&=-9),t.__e=n.__e,t.__k=n.__k,t.__k.some(function(T){T&&(T.__=t)}),ie.push.apply(a.__h,a.__k),a.__k=[],a.__h.length&&i.push(a),l=D(n);break e}a.componentWillUpdate&&a.componentWillUpdate(v,a.__s,x),g&&a.componentDidUpdate&&a.__h.push(function(){a.componentDidUpdate(m,E,y)})}else g&&!L.getDerivedStateFromProps&&a.componentWillMount&&a.componentWillMount(),g&&a.componentDidMount&&a.__h.push(a.componentDidMount);a.context=x,a.props=v,a.__P=e,a.__g&=-5,pe=h.__r,Ae=g?25:0;do a.__g&=-9,pe&&pe(t),u=a.render(a.props,a.state=a.__s,a.context);while(8&a.__g&&++Ae<25);g&&(ie.push.apply(a.__h,a.__k),a.__k=[]),a.state=a.__s,a.getChildContext&&(o=F({},o,a.getChildContext())),g&&n.__c&&a.getSnapshotBeforeUpdate&&(y=a.getSnapshotBeforeUpdate(m,E)),Q=u&&u.type===w&&u.key==null?u.props.children:u,v.__P&&(u=l,r=(e=v.__P).namespaceURI,_=s=null,n.props&&n.props.__P!=e&&(n.__k.some(function(T){T&&ve(T,T)}),n.__k=null),l=n.__k?D(n,0):null),l=qe(e,ge(Q)?Q:[Q],t,n,o,r,s,i,l,_,f),v.__P&&(t.__e=null,l=u),t.__u&=-161,d&&d.some(B),a.__h.length&&i.push(a),1&a.__g&&(a.__g&=-4)}catch(T){if(i.length=c,t.__v=null,_||s)if(T&&T.then){if(t.__u|=128|_,s){for(~(I=s.indexOf(l||void 0))||(I=s.length);(U=s[I-1])&&U.nodeType==8;)I--;for(;I<s.length;I++)if(U=s[I])if(s[I]=null,q){if(U==Ne)break}else{if(U.nodeType!=8)break;U.data.startsWith("$s")&&(Ne=oe(q=U))}}if(!q){for(;l&&l.nodeType==8&&l.nextSibling;)l=l.nextSibling;q=l}(u=oe(q=t.__c.__z||(t.__c.__z=q)))?(t.__e=q,l=u):t.__e=l,l=l&&l.nextSibling}else s&&s.some(B);else t.__e=n.__e;t.__k||(t.__k=n.__k||[]),T&&T.then||Be(t),h.__e(T,t,n)}}else l=t.__e=Kt(n.__e,t,n,o,r,s,i,_,f,e);return(u=h.diffed)&&u(t),l}function oe(e,t){if(e&&e.nodeType==8&&e.data.startsWith("$s"))for(var n=1;e=e.nextSibling;){if(e.nodeType==8){if(e.data.startsWith("$s"))n++;else if(e.data.startsWith("/$s")&&!--n)return e}t&&t.push(e)}}function Be(e){e&&(e.__c&&(e.__c.__g|=4),e.__k&&e.__k.some(Be))}function Fe(e,t,n){for(var o=0;o<n.length;)ye(n[o++],n[o++],n[o++]);h.__c&&h.__c(t,e),e.some(function(r){try{e=r.__h,r.__h=[],e.some(function(s){s.call(r)})}catch(s){h.__e(s,r.__v)}})}function Kt(e,t,n,o,r,s,i,l,_,f){var u,d,c,a,m,E,y,v,g=n.props||se,{props:C,type:x}=t;if(x=="svg"?r="http://www.w3.org/2000/svg":x=="math"?r="http://www.w3.org/1998/Math/MathML":r||(r="http://www.w3.org/1999/xhtml"),s){for(u=0;u<s.length;u++)if((m=s[u])&&(x?m.localName==x:m.nodeType==3)){e=m,s[u]=null;break}}if(!e){if(v=f.ownerDocument||document,!x)return v.createTextNode(C);e=v.createElementNS(r,x,C.is?C:f),l&&(h.__m&&h.__m(t,s),l=!1),s=null}if(x){if(f=x=="template"&&e.content||e,s=x=="textarea"&&C.defaultValue!=null?null:s&&Me.call(f.childNodes),!l&&s)for(g={},u=0;u<e.attributes.length;u++)g[(m=e.attributes[u]).name]=m.value;for(u in g)m=g[u],u=="dangerouslySetInnerHTML"?c=m:u=="children"||(u in C)||u=="value"&&("defaultValue"in C)||u=="checked"&&("defaultChecked"in C)||Z(e,u,null,m,r);for(u in C)m=C[u],u=="children"?a=m:u=="dangerouslySetInnerHTML"?d=m:u=="value"?E=m:u=="checked"?y=m:l&&typeof m!="function"||g[u]===m||Z(e,u,m,g[u],r);d?(l||c&&(d.__html==c.__html||d.__html==e.innerHTML)||(e.innerHTML=d.__html),t.__k=[]):(c&&(e.textContent=""),(x=="foreignObject"||r=="http://www.w3.org/1998/Math/MathML"&&Ft.test(x))&&(r="http://www.w3.org/1999/xhtml"),qe(f,ge(a)?a:[a],t,n,o,r,s,i,s?s[0]:n.__k&&D(n,0),l,_),s&&s.some(B)),l&&x!="textarea"||(u="value",x=="progress"&&E==null?e.removeAttribute(u):E==null||E===e[u]&&(x!="progress"||E)||Z(e,u,E,g[u],r),u="checked",y!=null&&y!=e[u]&&Z(e,u,y,g[u],r))}else g===C||l&&e.data==C||(e.data=C);return e}function ye(e,t,n,o){try{typeof e=="function"?t?t.__x=e(t)||1:o&&(o=o.__c||o.__e)&&(t=o.__x)&&(o.__x=null,typeof t=="function"?t():e(null)):e.current=t}catch(r){h.__e(r,n)}}function ve(e,t,n){var o,r,s,i;if(h.unmount&&h.unmount(e),!(o=e.ref)||o.current&&o.current!=e.__e||ye(o,null,t,e),o=e.__c){if(o.componentWillUnmount)try{o.componentWillUnmount()}catch(l){h.__e(l,t)}o.__P=o.__n=null}if(o=e.__k)for(i=0;i<o.length;i++)o[i]&&ve(o[i],t,typeof e.type!="function"||n&&!e.props.__P);!n&&(o=e.__c)&&(o=o.__z)&&(r=oe(o,s=[]))&&(o==e.__e&&s.some(B),B(r),B(o)),n||B(e.__e),e.__e=e.__c=e.__=null}function Wt(e,t,n){return this.constructor(e,n)}function Yt(e,t){var n,o,r,s;h.__&&h.__(e,t),t.nodeType==9&&(t=t.documentElement),o=(n=e&&32&e.__u)?null:t.__k,t.__k=te(w,{children:[e]}),r=[],s=[],he(t,t.__k,o||se,se,t.namespaceURI,o?null:t.firstChild?Me.call(t.childNodes):null,r,o?o.__e:t.firstChild,n,s),Fe(r,t.__k,s),t.__k.props.children=null}function je(e,t){e&&typeof e=="object"&&(e.__u|=32),Yt(e,t)}h={__e:function(e,t,n,o){for(var r,s,i;t=t.__;)if((r=t.__c)&&!(1&r.__g)){r.__g|=4;try{if((i=(s=r.constructor)&&s.getDerivedStateFromError)&&r.setState(s.getDerivedStateFromError(e)),r.componentDidCatch&&(r.componentDidCatch(e,o||{}),i=1),i&&8&r.__g)return void(r.__g|=2)}catch(l){e=l}}throw re=0,e}},Le=0,Ut=function(e){return e!=null&&e.constructor===V},ne.prototype.setState=function(e,t){var n=this.__s;n&&n!=this.state||(n=this.__s=F({},this.state)),typeof e=="function"&&(e=e(F({},n),this.props)),e&&(F(n,e),this.__v&&(t&&this.__k.push(t),Re(this)))},ne.prototype.forceUpdate=function(e){this.__v&&(this.__g|=4,e&&this.__h.push(e),Re(this))},ne.prototype.render=w,M=[],re=0,$e=function(e,t){return e.__v.__b-t.__v.__b},ee=Symbol(),Ie=/(PointerCapture)$|Capture$/i,me=0,fe={},Bt=0;var K,S,xe,Ge,be=Object.is,ae=0,Ze=[],Se=[],b=h,{__b:Ve,__r:Je,diffed:Ke,__c:We,unmount:Ye,__:ze}=b;function Ce(e,t){b.__h&&b.__h(S,e,ae||t),ae=0;var n=S.__H||(S.__H={__:[],__h:[]});return e>=n.__.length&&n.__.push({}),n.__[e]}function A(e){return ae=1,zt(tt,e)}function zt(e,t,n){var o=Ce(K++,2);if(o.t=e,!o.__c&&(o.__=[n?n(t):tt(void 0,t),function(s){var i=(o.__N||o.__)[0],l=o.t(i,s);be(i,l)||(o.__N=[l,o.__[1]],o.__c.setState({}))}],o.__c=S,!S.__f)){S.__f=!0;var r=S.shouldComponentUpdate;S.shouldComponentUpdate=function(s,i,l){var _=this.__H;if(!_)return!0;var f=!1,u=this.props!=s;if(_.__.some(function(c){c.__N&&(f=!0,be(c.__[0],c.__N[0])||(u=!0))}),r){var d=r.call(this,s,i,l);return f?d||u:d}return!f||u}}return o.__}function j(e,t){var n=Ce(K++,4);!b.__s&&et(n.__H,t)&&(n.__P=!1,n.__=e,n.u=t,S.__h.push(n))}function le(e){return ae=5,Xt(function(){return{current:e}},[])}function Xt(e,t){var n=Ce(K++,7);return et(n.__H,t)&&(n.__=e(),n.__H=t),n.__}function Qt(){var e;do{for(;e=Se.shift();)try{J(e)}catch(n){b.__e(n,{__:(e=e.__P)&&e.__v})}for(;e=Ze.shift();){var t=e.__H;if(e.__P&&t)try{t.__h.some(J),t.__h.some(Ee),t.__h=[]}catch(n){t.__h=[],b.__e(n,e.__v)}}}while(Se.length)}b.__b=function(e){S=null,Ve&&Ve(e)},b.__=function(e,t){e&&t.__k&&t.__k.__m&&(e.__m=t.__k.__m),ze&&ze(e,t)},b.__r=function(e){Je&&Je(e),K=0;var t=(S=e.__c).__H;t&&(xe==S?S.__h=[]:(t.__h.some(J),t.__h.some(Ee),K=0),t.__h=[],t.__.some(function(n){n.__N&&(n.__=n.__N),n.u=n.__N=void 0})),xe=S},b.diffed=function(e){Ke&&Ke(e);var t=e.__c;t&&t.__H&&(t.__H.__h.length&&Qe(Ze.push(t)),t.__H.__.some(function(n){n.u&&(n.__H=n.u)})),xe=S=null},b.__c=function(e,t){t.some(function(n){try{n.__h.some(J),n.__h=n.__h.filter(function(o){return!o.__||Ee(o)})}catch(o){n.__h=[function(){throw o}]}}),We&&We(e,t)},b.unmount=function(e){Ye&&Ye(e);var t,n,o=e.__c;o&&o.__H&&(o.__H.__.some(function(r){try{if(r.__P&&r.__c){if(n===void 0){for(n=e.__;n&&(!n.__c||!n.__c.__P);)n=n.__;n=n&&n.__c}r.__P=n,Qe(Se.push(r))}else J(r)}catch(s){t=s}}),o.__H=void 0,t&&b.__e(t,o.__v))};var Xe=typeof requestAnimationFrame=="function";function Zt(e){var t,n=function(){clearTimeout(o),Xe&&cancelAnimationFrame(t),setTimeout(e)},o=setTimeout(n,35);Xe&&(t=requestAnimationFrame(n))}function Qe(e){e!=1&&Ge==b.requestAnimationFrame||((Ge=b.requestAnimationFrame)||Zt)(Qt)}function J(e){var t=S,n=e.__c;typeof n=="function"&&(e.__c=void 0,n()),S=t}function Ee(e){var t=S;e.__c=e.__(),S=t}function et(e,t){return!e||e.length!=t.length||t.some(function(n,o){return!be(n,e[o])})}function tt(e,t){return typeof t=="function"?t(e):t}var en=Symbol.for("pv"),tn=0;function p(e,t,n,o,r,s){t||(t={});var i,l,_=t;if("ref"in _&&typeof e!="function")for(l in _={},t)l=="ref"?i=t[l]:_[l]=t[l];var f={type:e,props:_,key:n,ref:i,__k:null,__:null,__b:0,__e:null,__c:null,constructor:en,__v:--tn,__i:-1,__u:0};return(r||s)&&(f.__source=r,f.__self=s),h.vnode&&h.vnode(f),f}function W({language:e,code:t}){return p("pre",{class:"code",tabIndex:0,children:p("code",{children:rn(e,t).map(({kind:n,text:o})=>n===void 0?o:p("span",{class:`code-${n}`,children:o}))})})}function nt(){return p("button",{type:"button",class:"copy secondary small","aria-live":"polite",children:"Copy"})}var nn=new RegExp('(?<name>"(?:[^"\\\\\\n]|\\\\.)*"(?=\\s*:)|\\b\\w+(?=\\())|(?<comment>(?://|#).*)|(?<string>(?:\\b[fb])?(?:"(?:[^"\\\\\\n]|\\\\.)*"?|\'(?:[^\'\\\\\\n]|\\\\.)*\'?|`[^`]*`?))|(?<number>(?<![\\w.])-?\\d+(?:\\.\\d+)?(?:[eE][+-]?\\d+)?n?\\b)|(?<keyword>\\b(?:const|let|await|new|throw|import|from|null|undefined|true|false|if|with|as|try|except|raise|not|True|False|None|package|func|type|struct|var|defer|nil|int64|string)\\b)',"g"),on={curl:new RegExp(`(?<comment>(?<=^|\\s)#.*)|(?<string>'[^']*'?|"(?:[^"\\\\]|\\\\[^])*"?)|(?<keyword>(?<=\\s)--?[a-zA-Z][\\w-]*)|(?<name>^curl\\b)`,"gm"),http:/(?<name>^[\w-]+(?=:))/gm};function rn(e,t){let n=[],o=0;for(let{0:r,index:s,groups:i={}}of t.matchAll(on[e]??nn)){if(r==="")continue;if(s>o)n.push({text:t.slice(o,s)});n.push({kind:Object.keys(i).find((l)=>i[l]!==void 0),text:r}),o=s+r.length}if(o<t.length)n.push({text:t.slice(o)});return n}function H(e){return`${e}/pets?limit=100`}var ke="/v1";var ot="/docs",rt="/docs/errors";var st="/docs/search.json",it="/docs/search.js";var at="/client.tgz",Vn={deprecatedAt:new Date("2026-11-14T00:00:00Z"),removedAt:new Date("2030-12-05T00:00:00Z"),successor:"listPets",advice:`Use \`GET ${ke}/pets\` with the \`status\` filter. To read one pet, use \`after={petId - 1}&limit=1\` and compare the id: if no pet has this id, the response has the next pet.`};var lt=-(2n**63n),ut=2n**63n-1n,Kn=`must be an integer from ${lt} to ${ut}`;var sn=/^(-?)([0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?$/;function an(e){return e>=lt&&e<=ut}function ct(e){let t=sn.exec(e);if(t===null)return;let[,n,o="",r="",s="0"]=t,i=o+r,l=0;while(i[l]==="0")l++;let _=i.length;while(_>l&&i[_-1]==="0")_--;let f=i.slice(l,_);if(f==="")return 0n;let u=Number(s)-r.length+(i.length-_);if(u<0||f.length+u>19)return;let d=BigInt(`${n}${f}${"0".repeat(u)}`);return an(d)?d:void 0}class dt extends Error{name="JsonSyntaxError"}var _t=64,Te=34,ln=92,pt=/-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;function ft(e){let t=0;function n(d){throw new dt(`${d} at character ${t+1}`)}function o(){for(;;){let d=e.charCodeAt(t);if(d!==32&&d!==10&&d!==13&&d!==9)return;t++}}function r(d){if(!e.startsWith(d,t))return!1;return t+=d.length,!0}function s(){let d=t++;for(;;){let c=e.charCodeAt(t);if(Number.isNaN(c))n("a string has no end");if(c<32)n("a string has an unescaped control character");if(t+=c===ln?2:1,c===Te)break}try{return JSON.parse(e.slice(d,t))}catch{return n("a string has an invalid escape")}}function i(){pt.lastIndex=t;let d=pt.exec(e)?.[0];if(d===void 0)return n("expected a value");return t+=d.length,ct(d)??Number(d)}function l(d){let c=[];if(o(),r("]"))return c;do c.push(f(d));while(r(","));if(!r("]"))n('expected "," or "]"');return c}function _(d){let c=Object.create(null);if(o(),r("}"))return c;do{if(o(),e.charCodeAt(t)!==Te)n("expected the name of a field in double quotes");let a=t,m=s();if(m in c)t=a,n("a field is repeated");if(o(),!r(":"))n('expected ":"');c[m]=f(d)}while(r(","));if(!r("}"))n('expected "," or "}"');return c}function f(d){if(d>_t)n(`values are nested deeper than ${_t} levels`);o();let c;if(e.charCodeAt(t)===Te)c=s();else if(r("{"))c=_(d+1);else if(r("["))c=l(d+1);else if(r("true"))c=!0;else if(r("false"))c=!1;else if(r("null"))c=null;else c=i();return o(),c}let u=f(1);if(t<e.length)n("expected the end");return u}function ue(e,t){return JSON.stringify(e,(o,r)=>typeof r==="bigint"?JSON.rawJSON(String(r)):r,t)}function R({baseUrl:e,path:t,values:n}){let o=t.replace(/\{(\w+)\}/g,(s,i)=>encodeURIComponent((n.path[i]??"").toWellFormed())),r=new URLSearchParams(n.query);return`${e}${o}${r.size>0?`?${r}`:""}`}function N({values:e,otherBody:t}){return t??(e.body&&ue(e.body))}function O(e){let t=Object.entries(e.values.header);if(N(e)!==void 0)t.push(["Content-Type","application/json"]);return t}function mt(e){return`npm install ${e.slice(0,-ke.length)}${at}`}var gt={id:"curl",title:"curl",request(e){let t=N(e),n=["-i --fail-with-body",'-H "Authorization: Bearer $ANIMAL_STORE_API_KEY"',...O(e).map(([o,r])=>`-H ${Pe(`${o}: ${r}`)}`),...t===void 0?[]:[`--data-raw ${Pe(t)}`]];return[`curl -X ${e.method} ${Pe(R(e))}`,...n].join(" \\\n  ")},pageLoop:(e)=>`url='${H(e)}'
while [ -n "$url" ]; do
  curl -sS --fail-with-body -D headers.txt "$url" \\
    -H "Authorization: Bearer $ANIMAL_STORE_API_KEY" || exit 1
  url=$(sed -n 's/^[Ll]ink: <\\([^>]*\\)>; rel="next".*/\\1/p' headers.txt)
done`};function Pe(e){return`'${e.replaceAll("'","'\\''")}'`}var Y=/^-?(?:0|[1-9][0-9]*)$/,un=/[\u007f-\u009f\u00ad\u200b\u200c\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;function P(e){return JSON.stringify(e).replace(un,(t)=>`\\u${t.charCodeAt(0).toString(16).padStart(4,"0")}`)}function k(e){return`'${P(e).slice(1,-1).replaceAll("\\\"",'"').replaceAll("'","\\'")}'`}var ce={id:"fetch",title:"JavaScript",request(e){let t=N(e),n=O(e).map(([o,r])=>`    ${k(o)}: ${k(r)},
`);return`const response = await fetch(${k(R(e))}, {
  method: '${e.method}',
  headers: {
    Authorization: \`Bearer \${process.env.ANIMAL_STORE_API_KEY}\`,
${n.join("")}  },
${t===void 0?"":`  body: ${k(t)},
`}});

// JSON.parse would round ids beyond 2^53.
const text = await response.text();
console.log(response.status, text);
if (!response.ok) throw new Error(JSON.parse(text).code);`},pageLoop:(e)=>`let url = ${k(H(e))};
while (url !== undefined) {
  const response = await fetch(url, {
    headers: { Authorization: \`Bearer \${process.env.ANIMAL_STORE_API_KEY}\` },
  });
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  console.log(text);
  const link = response.headers.get('Link');
  url = /<([^>]*)>; rel="next"/.exec(link)?.[1];
}`};var ht={id:"go",title:"Go",request(e){let t=N(e),n=["fmt","io","log","net/http","os"];if(t!==void 0)n.push("strings");let o=O(e).map(([r,s])=>`	request.Header.Set(${P(r)}, ${P(s)})
`);return`package main

import (
${n.map((r)=>`	"${r}"
`).join("")})

func main() {
	request, err := http.NewRequest(
		"${e.method}",
		${P(R(e))},
		${t===void 0?"nil":`strings.NewReader(${cn(t)})`},
	)
	if err != nil {
		log.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+os.Getenv("ANIMAL_STORE_API_KEY"))
${o.join("")}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		log.Fatal(err)
	}
	defer response.Body.Close()

	body, err := io.ReadAll(response.Body)
	if err != nil {
		log.Fatal(err)
	}
	if response.StatusCode >= 300 {
		log.Fatalln(response.Status, string(body))
	}
	fmt.Println(response.Status, string(body))
}`},pageLoop:(e)=>`package main

import (
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"regexp"
)

var next = regexp.MustCompile(\`<([^>]*)>; rel="next"\`)

func main() {
	url := ${P(H(e))}
	for url != "" {
		request, err := http.NewRequest("GET", url, nil)
		if err != nil {
			log.Fatal(err)
		}
		request.Header.Set("Authorization", "Bearer "+os.Getenv("ANIMAL_STORE_API_KEY"))
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			log.Fatal(err)
		}
		body, err := io.ReadAll(response.Body)
		response.Body.Close()
		if err != nil || response.StatusCode >= 300 {
			log.Fatal(response.Status, string(body), err)
		}
		fmt.Println(string(body))

		url = ""
		if link := next.FindStringSubmatch(response.Header.Get("Link")); link != nil {
			url = link[1]
		}
	}
}`};function cn(e){let t=P(e);return/[`\r]/.test(e)||/\\u/.test(t)?t:`\`${e}\``}var yt={id:"python",title:"Python",request(e){let t=N(e),n=O(e).map(([o,r])=>`        ${P(o)}: ${P(r)},
`);return`import json
import os
import urllib.error
import urllib.request

request = urllib.request.Request(
    ${P(R(e))},
    method="${e.method}",
    headers={
        "Authorization": f"Bearer {os.environ['ANIMAL_STORE_API_KEY']}",
${n.join("")}    },
${t===void 0?"":`    data=${k(t)}.encode(),
`})

try:
    with urllib.request.urlopen(request) as response:
        print(response.status, json.load(response))
except urllib.error.HTTPError as error:
    problem = json.load(error)
    raise SystemExit(f"{error.code} {problem['code']}: {problem['message']}")`},pageLoop:(e)=>`import json
import os
import re
import urllib.request

url = ${P(H(e))}
headers = {"Authorization": f"Bearer {os.environ['ANIMAL_STORE_API_KEY']}"}
while url:
    request = urllib.request.Request(url, headers=headers)
    with urllib.request.urlopen(request) as response:
        for pet in json.load(response):
            print(pet)
        link = response.headers.get("Link", "")
    following = re.search('<([^>]*)>; rel="next"', link)
    url = following and following[1]`};var vt={id:"int64",name:"text",categoryId:"int64",status:"text"};var St={id:"typescript",title:"TypeScript",request(e){let t=_n[e.operation](e);if(t===void 0)return`// The client sends only pets. Other JSON needs fetch.
${ce.request(e)}`;return`${xt(e.baseUrl)}

${t}`},pageLoop:(e)=>`${xt(e)}

// Requests the next page when the loop gets there.
for await (const pet of store.pets({ pageSize: 100 })) console.log(pet);`};function xt(e){return`// ${mt(e)}
import { AnimalStore } from '@animal-store/client';

// The client reads the key from ANIMAL_STORE_API_KEY.
const store = new AnimalStore({ baseUrl: ${k(e)} });`}var _n={listPets({values:e}){return`const page = await store.listPets(${bt(e.query,(n,o)=>pn[n](o))});
console.log(page.pets);`},createPet({values:e,otherBody:t}){if(t!==void 0)return;let n=bt(e.body??{},dn),o=e.header["Idempotency-Key"],r=o===void 0?"":`, { idempotencyKey: ${k(o)} }`;return`const pet = await store.createPet(${n}${r});
console.log(pet);`},getPet:({values:e})=>`// Uses getPet until its removal, and the list afterwards.
const pet = await store.findPet(${Et(e.path.petId??"")});
console.log(pet); // undefined if there is none`},pn={limit:(e)=>Y.test(e)?e:k(e),status:k,after:Et};function Et(e){return Y.test(e)?`${e}n`:k(e)}function dn(e,t){if(typeof t==="string")return k(t);return vt[e].startsWith("int64")?`${t}n`:`${t}`}function bt(e,t){let n=Object.entries(e).map(([o,r])=>`  ${o}: ${t(o,r)},
`);return n.length===0?"":`{
${n.join("")}}`}var _e=[gt,St,ce,yt,ht];class z extends EventTarget{#t;#e;constructor(e,t){super();this.#e=Ct(()=>e().getItem(t))??"",this.#t=(n)=>Ct(()=>e().setItem(t,n))}get value(){return this.#e}set(e){this.#e=e,this.#t(e),this.dispatchEvent(new Event("change"))}}function X(e,t){let[n,o]=A(t);return j(()=>{let r=()=>o(e.value);e.addEventListener("change",r),r()},[e]),n}function Ct(e){try{return e()}catch{return}}var G=new z(()=>sessionStorage,"animal-store.key");function kt(e){let t=X(G,"");return p("form",{class:"key-field needs-script",onSubmit:(n)=>n.preventDefault(),children:[p("label",{for:"api-key",children:["API key ",p("span",{class:"note",children:"kept until the tab closes"})]}),p("input",{id:"api-key",type:"password",autocomplete:"off",placeholder:"ask_…",value:t,onInput:({currentTarget:n})=>G.set(fn(n.value))})]})}function fn(e){return e.replace(/^\s*Bearer\s|\s/gi,"")}var mn=["bad","neutral","good","info","warning","bad"];function Tt({status:e,title:t}){return p("span",{class:`badge status ${mn[Math.floor(e/100)]}`,children:t??e})}function gn(e,t){return"../".repeat(e.split("/").length-2)+t.slice(1)}var Pt=gn(ot,rt);function wt({outcome:e,isSending:t}){let{title:n,status:o=0,note:r,body:s,headers:i,errorCode:l}=e;return p("div",{class:"response","aria-busy":t,children:[p("p",{role:"status",class:"line",children:t?"Sending…":p(w,{children:[p(Tt,{status:o,title:n})," ",p("span",{class:"note",children:r})]})}),l!==void 0&&p("p",{class:"error-code",children:["Error"," ",p("a",{href:`${Pt}#${l}`,children:p("code",{children:l})}),": what it means and what to do"]}),s&&p(W,{language:"json",code:hn(s)}),i!==void 0&&p("details",{children:[p("summary",{children:["Headers ",p("span",{class:"note",children:i.length})]}),p(W,{language:"http",code:i.map(([_,f])=>`${_}: ${f}`).join(`
`)})]})]})}function hn(e){try{return ue(ft(e),2)}catch{return e}}var yn=/#(\w+)>; rel="help"/,vn=/[?&]after=(-?\d+)[^>]*>; rel="next"/;function At(e){let[t,n]=A(e),[o,r]=A(!1),s=le(void 0);return{outcome:t,isSending:o,sendOrCancel:async(l)=>{if(s.current!==void 0)return s.current.abort();s.current=new AbortController,r(!0),n(await xn(l,s.current.signal)),r(!1),s.current=void 0}}}async function xn(e,t){let{method:n}=e,o=O(e);if(G.value!=="")o.push(["Authorization",`Bearer ${G.value}`]);let r=performance.now();try{let s=await fetch(R(e),{method:n,headers:o,signal:t,body:N(e)??null,cache:"no-store",credentials:"omit"});return await Sn(s,r)}catch(s){if(!t.aborted)return{title:"No response",note:`${bn} ${s}`};return{title:"Canceled",note:n==="GET"?"":"The service may have processed the request already."}}}var bn="The service cannot be reached from this page. Check your connection and the headers.";async function Sn(e,t){let{status:n,statusText:o,headers:r}=e,s=await e.text(),i=r.get("Link")??"";return{title:`${n} ${o}`.trim(),status:n,note:`${Math.round(performance.now()-t)} ms${En(r)}`,body:s,headers:[...r],nextAfter:vn.exec(i)?.[1],errorCode:yn.exec(i)?.[1]}}function En(e){let[t,n,o]=["Limit","Remaining","Reset"].map((s)=>e.get(`X-RateLimit-${s}`));if(!o)return"";let r=new Date(Number(o)*1000).toLocaleTimeString("en-GB");return`, ${n} of ${t} requests left until ${r}`}function Ot({id:e,request:t,example:n}){let o=le(null),[r,s]=A(t),{outcome:i,isSending:l,sendOrCancel:_}=At(n),f=X(G,"rendered")!=="",{nextAfter:u}=i;j(()=>{let c=o.current?.closest("form");if(!c)return;let a=()=>s(Rt(c,t));c.addEventListener("input",a),c.addEventListener("submit",(m)=>{m.preventDefault(),a(),_(Rt(c,t))}),a()},[]);let d=()=>{let c=o.current?.closest("form"),a=c?.querySelector("[name=after]");if(!c||!a)return;a.value=u??"",c.requestSubmit()};return p("div",{class:"panel",ref:o,children:[p($t,{codeOf:(c)=>c.request(r)}),p("div",{class:"line send needs-script",children:[p("button",{type:"submit",onClick:(c)=>c.detail>1&&c.preventDefault(),children:[l?"Cancel":"Send",p("span",{class:"hidden",children:[" ",r.operation]})]}),f||p("a",{href:"#api-key",children:"Enter your API key"})]}),p(wt,{outcome:i,isSending:l}),e===r.operation&&u!==void 0&&p("p",{children:p("button",{type:"button",class:"secondary",onClick:d,children:"Next page"})})]})}function Lt({baseUrl:e}){let[t,n]=A(e);return j(()=>n(It()),[]),p("div",{class:"panel",children:p($t,{codeOf:(o)=>o.pageLoop(t)})})}var Nt=new z(()=>localStorage,"animal-store.language");function $t({codeOf:e}){let t=X(Nt,""),n=_e.find(({id:o})=>o===t)??_e[0];return p(w,{children:[p("div",{class:"line needs-script",children:[p("select",{"aria-label":"Language",value:n.id,onChange:({currentTarget:o})=>Nt.set(o.value),children:_e.map(({id:o,title:r})=>p("option",{value:o,children:r},o))}),p(nt,{})]}),p(W,{language:n.id,code:e(n)})]})}function Rt(e,t){let n=structuredClone(t.values);for(let{name:r,value:s,inputMode:i,dataset:l}of e.querySelectorAll("[data-place]")){let _=n[l.place]??{},f=s.trim(),u=_===n.body&&i==="numeric"&&Y.test(f);if(_[r]=u?BigInt(f):f,f==="")delete _[r]}let o=e.querySelector("textarea")?.value.toWellFormed()||void 0;return{...t,baseUrl:It(),values:n,otherBody:o}}function It(){return new URL("./v1",location.href).href}function Mt({root:e}){let[t,n]=A(""),[o,r]=A();j(Pn,[]);let s=async()=>{let _=o??await Tn(e);r(()=>_)},i=o?.(t)??[],l=()=>{n(""),document.activeElement.blur()};return p("search",{class:"search needs-script",onKeyDown:(_)=>_.key==="Escape"?l():Cn(_),children:[p("input",{id:"search",type:"search","aria-label":"Search the documentation","aria-keyshortcuts":"/",placeholder:"Type / to search",autocomplete:"off",spellcheck:!1,value:t,onInput:({currentTarget:_})=>n(_.value),onFocus:s}),p("div",{class:"search-list",hidden:t==="",children:[i.map(({title:_,place:f,text:u,href:d})=>p("a",{href:e+d,tabIndex:0,onClick:l,children:[p("b",{children:_}),p("span",{class:"note",children:f}),p("span",{class:"search-text note",children:u})]},d)),p("p",{role:"status",class:"note",children:o===void 0?"Loading…":kn(i)})]})]})}function Cn(e){let t=[...e.currentTarget.querySelectorAll("input, a")],n=t.indexOf(e.target);if(e.key==="ArrowDown")t[(n+1)%t.length]?.focus();else if(e.key==="ArrowUp")t.at(n-1)?.focus();else if(e.key==="Enter"&&n===0)t[1]?.click();else return;e.preventDefault()}function kn({length:e}){return e===1?"1 result":`${e||"No"} results`}async function Tn(e){let t=(r)=>new URL(e+r.slice(1),location.href).href,[{newSearch:n},o]=await Promise.all([import(t(it)),fetch(t(st))]);return n(await o.json())}function Pn(){document.addEventListener("keydown",(e)=>{let{key:t,ctrlKey:n,metaKey:o,altKey:r,target:s}=e;if(t!=="/"||n||o||r)return;if(s instanceof Element&&s.matches("input, select, textarea"))return;e.preventDefault(),document.getElementById("search")?.focus()})}var wn={"code-panel":Ot,"loop-panel":Lt,"key-field":kt,"search-box":Mt};function Dt(){for(let e of document.querySelectorAll("[data-island]")){let{island:t,props:n="{}"}=e.dataset,o=wn[t];je(p(o,{...JSON.parse(n)}),e)}}function Ht(e){let t=new Map,n=new IntersectionObserver((o)=>{for(let{target:r,isIntersecting:s}of o){let i=t.get(r);if(s){if(i?.setAttribute("aria-current","location"),i)An(e,i)}else i?.removeAttribute("aria-current")}},{rootMargin:"-20% 0px -80%"});for(let o of e.querySelectorAll("li a")){let r=document.getElementById(o.hash.slice(1));if(r===null||o.pathname!==location.pathname)continue;t.set(r,o),n.observe(r)}}function An(e,t){let n=e.getBoundingClientRect(),o=t.getBoundingClientRect().top-(n.top+n.height/2);if(Math.abs(o)>n.height/4)e.scrollTop+=o}function qt(e){e.addEventListener("click",({target:t})=>{if(t instanceof Element&&t.closest("a")!==null&&e.matches(":popover-open"))e.hidePopover()})}var Nn=2000;Dt();Rn();var we=document.getElementById("navigation");if(we!==null)Ht(we),qt(we);function Rn(){document.addEventListener("click",async({target:e})=>{let t=e instanceof Element?e.closest(".copy"):null,n=t?.closest(":has(pre)")?.querySelector("pre"),o=t?.firstChild;if(!n||!o)return;await On(n),o.nodeValue="Copied",setTimeout(()=>{o.nodeValue="Copy"},Nn)})}async function On(e){try{await navigator.clipboard.writeText(e.innerText)}catch{getSelection()?.selectAllChildren(e),document.execCommand("copy")}}
