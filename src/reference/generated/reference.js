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
var g,Ie,qt,M,de,re,$e,ee,Me,me,fe,Ut,V=Symbol.for("pv"),se={},ie=[],Bt=/^m(i|n|o|s|text|space)$/,he=Array.isArray,De=ie.slice,F=Object.assign;function B(e){e&&e.parentNode&&e.remove()}function te(e,t,n,o,r){var s={type:e,props:t,key:n,ref:o,__k:null,__:null,__b:0,__e:null,__c:null,constructor:V,__v:r||++Ie,__i:-1,__u:0};return!r&&g.vnode&&g.vnode(s),s}function w(e){return e.children}function ne(e,t){this.props=e,this.context=t,this.__g=0}function D(e,t){if(t==null)return e.__&&D(e.__,e.__i+1);for(var n;t<e.__k.length;t++)if((n=e.__k[t])&&n.__e)return n.__e;return typeof e.type!="function"||e.props.__P?null:D(e)}function Ft(e){var t,n=e.__v,o=n.__e,r=[],s=[],a=e.__P;a&&((t=F({constructor:V},n)).__v=n.__v+1,g.vnode&&g.vnode(t),ge(a,t,n,e.__n,a.namespaceURI,32&n.__u?[o]:null,r,o||D(n),32&n.__u,s),t.__v=n.__v,t.__.__k[t.__i]=t,je(r,t,s),n.__=n.__e=null,t.__e!=o&&He(t))}function He(e){if((e=e.__)&&e.__c&&!e.props.__P)return e.__e=null,e.__k.some(function(t){return t&&(e.__e=t.__e)}),He(e)}function Re(e){(8&e.__g||(e.__g|=8,M.push(e),re++))&&de==g.debounceRendering||((de=g.debounceRendering)||queueMicrotask)(qe)}function qe(){try{for(var e,t=1;M.length;)M.length>t&&M.sort($e),e=M.shift(),t=M.length,8&e.__g&&Ft(e)}finally{(re=M.length)&&(de||queueMicrotask)(qe)}}function Ue(e,t,n,o,r,s,a,l,d,f,u){var p,c,i,m,E,y,v=o.__k||ie,h=t.length;for(d=jt(n,t,v,d,h),p=0;p<h;p++)(i=n.__k[p])!=null&&(c=~i.__i&&v[i.__i]||se,i.__i=p,y=ge(e,i,c,r,s,a,l,d,f,u),m=i.__e,(c.ref!=i.ref||8&c.__u)&&(c.ref&&ye(c.ref,null,i,c),i.ref&&u.push(i.ref,i.__c||m,i)),E=E||m,4&i.__u?(d=Be(i,d,e,!c.__v),c.__e&&(c.__e=null)):typeof i.type=="function"&&y!==void 0?d=y:m&&(d=m.nextSibling),i.__u&=-21);return n.__e=E,d}function jt(e,t,n,o,r){var s,a,l,d,f,u,p,c,i,m=n.length,E=m,y=0,v=0,h=e.__k=Array(r);for(s=0;s<r;s++)(a=t[s])!=null&&typeof a!="boolean"&&typeof a!="function"?(typeof a!="object"||a.constructor===String?a=h[s]=te(null,a):he(a)?a=h[s]=te(w,{children:a}):a.constructor===V&&a.__b?a=h[s]=te(a.type,a.props,a.key,a.ref,a.__v):h[s]=a,d=s+y,a.__=e,a.__b=e.__b+1,l=null,~(f=a.__i=Gt(a,n,d,E))&&(E--,(l=n[f])&&(l.__u|=2)),l&&l.__v?(a.__u|=16,f==d-1?y--:f==d+1?y++:f!=d&&(f>d?y--:y++,v=1)):(~f||(r>m?y--:r<m&&y++),typeof a.type!="function"&&(a.__u|=4))):h[s]=null;if(v){for(u=[],p=[],s=0;s<r;s++)if((a=h[s])&&16&a.__u){for(y=0,c=u.length;y<c;)u[i=y+c>>1]<a.__i?y=i+1:c=i;u[y]=a.__i,p[s]=y+1}for(y=u.length;s--;)p[s]&&(p[s]==y?y--:h[s].__u|=4)}if(E)for(s=0;s<m;s++)!(l=n[s])||2&l.__u||(l.__e==o&&(o=D(l)),ve(l,l));return o}function Be(e,t,n,o){var r,s,a,l;if(typeof e.type=="function"){if(e.props.__P)return t;if(r=e.__k)for(s=0;s<r.length;s++)r[s]&&(r[s].__=e,t=Be(r[s],t,n,!1));return t}for(t&&!t.parentNode&&(t=D(e))&&!t.parentNode&&(t=null),a=e.__e,l=t;l&&l.nodeType==8;)l=l.nextSibling;for(a!=l&&(!o&&n.moveBefore&&a.parentNode?n.moveBefore(a,t):n.insertBefore(a,t||null)),t=a;(t=t&&t.nextSibling)&&t.nodeType==8&&!t.data.startsWith("$s"););return t}function Gt(e,t,n,o){var r,{key:s,type:a}=e,l=t[n],d=l&&!(2&l.__u);if(l===null&&s==null||d&&s==l.key&&a==l.type)return n;if(o>(d?1:0)){for(r=n-1;r>=0;r--)if((l=t[r])&&!(2&l.__u)&&s==l.key&&a==l.type)return r;for(r=n+1;r<t.length;r++)if((l=t[r])&&!(2&l.__u)&&s==l.key&&a==l.type)return r}return-1}function Le(e,t,n){n==null&&(n=""),t[0]=="-"?e.setProperty(t,n):e[t]=n}function Z(e,t,n,o,r){var s,a;if(t=="style")if(typeof n=="string")e.style.cssText=n;else{if(typeof o=="string"&&(e.style.cssText=o=""),o)for(t in o)n&&t in n||Le(e.style,t);if(n)for(t in n)o&&n[t]==o[t]||Le(e.style,t,n[t])}else if(t[0]=="o"&&t[1]=="n")typeof n!="function"&&(n=null),typeof o!="function"&&(o=null),(e.__e||(e.__e={}))[t]=n,n&&o||(a=fe[t]||(fe[t]=Vt(t)),(e.__a||(e.__a={}))[t]=me,s=t!=(t=t.replace(Me,"$1")),(t=t.slice(2))[0]<"a"&&(t=t.toLowerCase()),n?e.addEventListener(t,a,s):e.removeEventListener(t,a,s));else{if(r=="http://www.w3.org/2000/svg")t=t.replace(/xlink(H|:h)/,"h").replace(/sName$/,"s");else if(t!="width"&&t!="height"&&t!="href"&&t!="list"&&t!="form"&&t!="tabIndex"&&t!="download"&&t!="rowSpan"&&t!="colSpan"&&t!="role"&&t!="popover"&&t in e)try{return void(e[t]=n==null?"":n)}catch(l){}if(typeof n=="function")return;n==null||n===!1&&t[4]!="-"?e.removeAttribute(t):e.setAttribute(t,t=="popover"&&n==1?"":n)}}function Vt(e){return function(t){var n=this.__e;if(n){if(n=n[e],t[ee]==null)t[ee]=me++;else if(t[ee]<this.__a[e])return;return n(g.event?g.event(t):t)}}}function ge(e,t,n,o,r,s,a,l,d,f){var u,p,c,i,m,E,y,v,h,C,x,pe,Ne,Q,q,Oe,I,U,L=t.type;if(t.constructor!==V)return null;128&n.__u&&(d=32&n.__u,u=n.__c.__z)&&(t.__u|=d,p=s=[],u.nodeType==8?l=oe(u,s):s.push(u),l=s[0]||l),(u=g.__b)&&u(t);e:if(typeof L=="function"){c=a.length;try{if(v=t.props,h=(u=L.prototype)&&u.render,C=(u=L.contextType)&&o[u.__c],x=u?C?C.props.value:u.__:o,(i=n.__c)?(t.__c=i,2&i.__g&&(i.__g|=1)):(h?t.__c=i=new L(v,x):(t.__c=i=new ne(v,x),i.constructor=L,i.render=Kt),C&&C.sub(i),i.state||(i.state={}),i.__n=o,i.__g|=8,i.__h=[],i.__k=[]),h&&(i.__s||(i.__s=i.state),L.getDerivedStateFromProps&&(i.__s==i.state&&(i.__s=F({},i.__s)),F(i.__s,L.getDerivedStateFromProps(v,i.__s)))),m=i.props,E=i.state,i.__v=t,n.__c){if(v!==m&&h&&!L.getDerivedStateFromProps&&i.componentWillReceiveProps&&i.componentWillReceiveProps(v,x),t.__v==n.__v&&!(8&i.__g)||!(4&i.__g)&&i.shouldComponentUpdate&&i.shouldComponentUpdate(v,i.__s,x)===!1){t.__v!=n.__v&&(i.props=v,i.state=i.__s,i.__g&=-9),t.__e=n.__e,t.__k=n.__k,t.__k.some(function(T){T&&(T.__=t)}),ie.push.apply(i.__h,i.__k),i.__k=[],i.__h.length&&a.push(i),l=D(n);break e}i.componentWillUpdate&&i.componentWillUpdate(v,i.__s,x),h&&i.componentDidUpdate&&i.__h.push(function(){i.componentDidUpdate(m,E,y)})}else h&&!L.getDerivedStateFromProps&&i.componentWillMount&&i.componentWillMount(),h&&i.componentDidMount&&i.__h.push(i.componentDidMount);i.context=x,i.props=v,i.__P=e,i.__g&=-5,pe=g.__r,Ne=h?25:0;do i.__g&=-9,pe&&pe(t),u=i.render(i.props,i.state=i.__s,i.context);while(8&i.__g&&++Ne<25);h&&(ie.push.apply(i.__h,i.__k),i.__k=[]),i.state=i.__s,i.getChildContext&&(o=F({},o,i.getChildContext())),h&&n.__c&&i.getSnapshotBeforeUpdate&&(y=i.getSnapshotBeforeUpdate(m,E)),Q=u&&u.type===w&&u.key==null?u.props.children:u,v.__P&&(u=l,r=(e=v.__P).namespaceURI,d=s=null,n.props&&n.props.__P!=e&&(n.__k.some(function(T){T&&ve(T,T)}),n.__k=null),l=n.__k?D(n,0):null),l=Ue(e,he(Q)?Q:[Q],t,n,o,r,s,a,l,d,f),v.__P&&(t.__e=null,l=u),t.__u&=-161,p&&p.some(B),i.__h.length&&a.push(i),1&i.__g&&(i.__g&=-4)}catch(T){if(a.length=c,t.__v=null,d||s)if(T&&T.then){if(t.__u|=128|d,s){for(~(I=s.indexOf(l||void 0))||(I=s.length);(U=s[I-1])&&U.nodeType==8;)I--;for(;I<s.length;I++)if(U=s[I])if(s[I]=null,q){if(U==Oe)break}else{if(U.nodeType!=8)break;U.data.startsWith("$s")&&(Oe=oe(q=U))}}if(!q){for(;l&&l.nodeType==8&&l.nextSibling;)l=l.nextSibling;q=l}(u=oe(q=t.__c.__z||(t.__c.__z=q)))?(t.__e=q,l=u):t.__e=l,l=l&&l.nextSibling}else s&&s.some(B);else t.__e=n.__e;t.__k||(t.__k=n.__k||[]),T&&T.then||Fe(t),g.__e(T,t,n)}}else l=t.__e=Jt(n.__e,t,n,o,r,s,a,d,f,e);return(u=g.diffed)&&u(t),l}function oe(e,t){if(e&&e.nodeType==8&&e.data.startsWith("$s"))for(var n=1;e=e.nextSibling;){if(e.nodeType==8){if(e.data.startsWith("$s"))n++;else if(e.data.startsWith("/$s")&&!--n)return e}t&&t.push(e)}}function Fe(e){e&&(e.__c&&(e.__c.__g|=4),e.__k&&e.__k.some(Fe))}function je(e,t,n){for(var o=0;o<n.length;)ye(n[o++],n[o++],n[o++]);g.__c&&g.__c(t,e),e.some(function(r){try{e=r.__h,r.__h=[],e.some(function(s){s.call(r)})}catch(s){g.__e(s,r.__v)}})}function Jt(e,t,n,o,r,s,a,l,d,f){var u,p,c,i,m,E,y,v,h=n.props||se,{props:C,type:x}=t;if(x=="svg"?r="http://www.w3.org/2000/svg":x=="math"?r="http://www.w3.org/1998/Math/MathML":r||(r="http://www.w3.org/1999/xhtml"),s){for(u=0;u<s.length;u++)if((m=s[u])&&(x?m.localName==x:m.nodeType==3)){e=m,s[u]=null;break}}if(!e){if(v=f.ownerDocument||document,!x)return v.createTextNode(C);e=v.createElementNS(r,x,C.is?C:f),l&&(g.__m&&g.__m(t,s),l=!1),s=null}if(x){if(f=x=="template"&&e.content||e,s=x=="textarea"&&C.defaultValue!=null?null:s&&De.call(f.childNodes),!l&&s)for(h={},u=0;u<e.attributes.length;u++)h[(m=e.attributes[u]).name]=m.value;for(u in h)m=h[u],u=="dangerouslySetInnerHTML"?c=m:u=="children"||(u in C)||u=="value"&&("defaultValue"in C)||u=="checked"&&("defaultChecked"in C)||Z(e,u,null,m,r);for(u in C)m=C[u],u=="children"?i=m:u=="dangerouslySetInnerHTML"?p=m:u=="value"?E=m:u=="checked"?y=m:l&&typeof m!="function"||h[u]===m||Z(e,u,m,h[u],r);p?(l||c&&(p.__html==c.__html||p.__html==e.innerHTML)||(e.innerHTML=p.__html),t.__k=[]):(c&&(e.textContent=""),(x=="foreignObject"||r=="http://www.w3.org/1998/Math/MathML"&&Bt.test(x))&&(r="http://www.w3.org/1999/xhtml"),Ue(f,he(i)?i:[i],t,n,o,r,s,a,s?s[0]:n.__k&&D(n,0),l,d),s&&s.some(B)),l&&x!="textarea"||(u="value",x=="progress"&&E==null?e.removeAttribute(u):E==null||E===e[u]&&(x!="progress"||E)||Z(e,u,E,h[u],r),u="checked",y!=null&&y!=e[u]&&Z(e,u,y,h[u],r))}else h===C||l&&e.data==C||(e.data=C);return e}function ye(e,t,n,o){try{typeof e=="function"?t?t.__x=e(t)||1:o&&(o=o.__c||o.__e)&&(t=o.__x)&&(o.__x=null,typeof t=="function"?t():e(null)):e.current=t}catch(r){g.__e(r,n)}}function ve(e,t,n){var o,r,s,a;if(g.unmount&&g.unmount(e),!(o=e.ref)||o.current&&o.current!=e.__e||ye(o,null,t,e),o=e.__c){if(o.componentWillUnmount)try{o.componentWillUnmount()}catch(l){g.__e(l,t)}o.__P=o.__n=null}if(o=e.__k)for(a=0;a<o.length;a++)o[a]&&ve(o[a],t,typeof e.type!="function"||n&&!e.props.__P);!n&&(o=e.__c)&&(o=o.__z)&&(r=oe(o,s=[]))&&(o==e.__e&&s.some(B),B(r),B(o)),n||B(e.__e),e.__e=e.__c=e.__=null}function Kt(e,t,n){return this.constructor(e,n)}function Wt(e,t){var n,o,r,s;g.__&&g.__(e,t),t.nodeType==9&&(t=t.documentElement),o=(n=e&&32&e.__u)?null:t.__k,t.__k=te(w,{children:[e]}),r=[],s=[],ge(t,t.__k,o||se,se,t.namespaceURI,o?null:t.firstChild?De.call(t.childNodes):null,r,o?o.__e:t.firstChild,n,s),je(r,t.__k,s),t.__k.props.children=null}function Ge(e,t){e&&typeof e=="object"&&(e.__u|=32),Wt(e,t)}g={__e:function(e,t,n,o){for(var r,s,a;t=t.__;)if((r=t.__c)&&!(1&r.__g)){r.__g|=4;try{if((a=(s=r.constructor)&&s.getDerivedStateFromError)&&r.setState(s.getDerivedStateFromError(e)),r.componentDidCatch&&(r.componentDidCatch(e,o||{}),a=1),a&&8&r.__g)return void(r.__g|=2)}catch(l){e=l}}throw re=0,e}},Ie=0,qt=function(e){return e!=null&&e.constructor===V},ne.prototype.setState=function(e,t){var n=this.__s;n&&n!=this.state||(n=this.__s=F({},this.state)),typeof e=="function"&&(e=e(F({},n),this.props)),e&&(F(n,e),this.__v&&(t&&this.__k.push(t),Re(this)))},ne.prototype.forceUpdate=function(e){this.__v&&(this.__g|=4,e&&this.__h.push(e),Re(this))},ne.prototype.render=w,M=[],re=0,$e=function(e,t){return e.__v.__b-t.__v.__b},ee=Symbol(),Me=/(PointerCapture)$|Capture$/i,me=0,fe={},Ut=0;var K,S,xe,Ve,be=Object.is,ae=0,et=[],Se=[],b=g,{__b:Je,__r:Ke,diffed:We,__c:Ye,unmount:ze,__:Xe}=b;function Ce(e,t){b.__h&&b.__h(S,e,ae||t),ae=0;var n=S.__H||(S.__H={__:[],__h:[]});return e>=n.__.length&&n.__.push({}),n.__[e]}function A(e){return ae=1,Yt(nt,e)}function Yt(e,t,n){var o=Ce(K++,2);if(o.t=e,!o.__c&&(o.__=[n?n(t):nt(void 0,t),function(s){var a=(o.__N||o.__)[0],l=o.t(a,s);be(a,l)||(o.__N=[l,o.__[1]],o.__c.setState({}))}],o.__c=S,!S.__f)){S.__f=!0;var r=S.shouldComponentUpdate;S.shouldComponentUpdate=function(s,a,l){var d=this.__H;if(!d)return!0;var f=!1,u=this.props!=s;if(d.__.some(function(c){c.__N&&(f=!0,be(c.__[0],c.__N[0])||(u=!0))}),r){var p=r.call(this,s,a,l);return f?p||u:p}return!f||u}}return o.__}function j(e,t){var n=Ce(K++,4);!b.__s&&tt(n.__H,t)&&(n.__P=!1,n.__=e,n.u=t,S.__h.push(n))}function le(e){return ae=5,zt(function(){return{current:e}},[])}function zt(e,t){var n=Ce(K++,7);return tt(n.__H,t)&&(n.__=e(),n.__H=t),n.__}function Xt(){var e;do{for(;e=Se.shift();)try{J(e)}catch(n){b.__e(n,{__:(e=e.__P)&&e.__v})}for(;e=et.shift();){var t=e.__H;if(e.__P&&t)try{t.__h.some(J),t.__h.some(Ee),t.__h=[]}catch(n){t.__h=[],b.__e(n,e.__v)}}}while(Se.length)}b.__b=function(e){S=null,Je&&Je(e)},b.__=function(e,t){e&&t.__k&&t.__k.__m&&(e.__m=t.__k.__m),Xe&&Xe(e,t)},b.__r=function(e){Ke&&Ke(e),K=0;var t=(S=e.__c).__H;t&&(xe==S?S.__h=[]:(t.__h.some(J),t.__h.some(Ee),K=0),t.__h=[],t.__.some(function(n){n.__N&&(n.__=n.__N),n.u=n.__N=void 0})),xe=S},b.diffed=function(e){We&&We(e);var t=e.__c;t&&t.__H&&(t.__H.__h.length&&Ze(et.push(t)),t.__H.__.some(function(n){n.u&&(n.__H=n.u)})),xe=S=null},b.__c=function(e,t){t.some(function(n){try{n.__h.some(J),n.__h=n.__h.filter(function(o){return!o.__||Ee(o)})}catch(o){n.__h=[function(){throw o}]}}),Ye&&Ye(e,t)},b.unmount=function(e){ze&&ze(e);var t,n,o=e.__c;o&&o.__H&&(o.__H.__.some(function(r){try{if(r.__P&&r.__c){if(n===void 0){for(n=e.__;n&&(!n.__c||!n.__c.__P);)n=n.__;n=n&&n.__c}r.__P=n,Ze(Se.push(r))}else J(r)}catch(s){t=s}}),o.__H=void 0,t&&b.__e(t,o.__v))};var Qe=typeof requestAnimationFrame=="function";function Qt(e){var t,n=function(){clearTimeout(o),Qe&&cancelAnimationFrame(t),setTimeout(e)},o=setTimeout(n,35);Qe&&(t=requestAnimationFrame(n))}function Ze(e){e!=1&&Ve==b.requestAnimationFrame||((Ve=b.requestAnimationFrame)||Qt)(Xt)}function J(e){var t=S,n=e.__c;typeof n=="function"&&(e.__c=void 0,n()),S=t}function Ee(e){var t=S;e.__c=e.__(),S=t}function tt(e,t){return!e||e.length!=t.length||t.some(function(n,o){return!be(n,e[o])})}function nt(e,t){return typeof t=="function"?t(e):t}var Zt=Symbol.for("pv"),en=0;function _(e,t,n,o,r,s){t||(t={});var a,l,d=t;if("ref"in d&&typeof e!="function")for(l in d={},t)l=="ref"?a=t[l]:d[l]=t[l];var f={type:e,props:d,key:n,ref:a,__k:null,__:null,__b:0,__e:null,__c:null,constructor:Zt,__v:--en,__i:-1,__u:0};return(r||s)&&(f.__source=r,f.__self=s),g.vnode&&g.vnode(f),f}function W({language:e,code:t}){return _("pre",{class:"code",tabIndex:0,children:_("code",{children:on(e,t).map(({kind:n,text:o})=>n===void 0?o:_("span",{class:`code-${n}`,children:o}))})})}function ot(){return _("button",{type:"button",class:"copy secondary small","aria-live":"polite",children:"Copy"})}var tn=ke({name:/"(?:[^"\\\n]|\\.)*"(?=\s*:)|\b\w+(?=\()/,comment:/(?:\/\/|#).*/,string:/"(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?|`[^`]*`?/,number:/(?<![\w.])-?\d+(?:\.\d+)?n?\b/,keyword:new RegExp("\\b(?:const|let|await|new|throw|import|from|null|undefined|true|false|if|for|while|of|with|as|try|except|raise|package|func|var|defer|nil)\\b")}),nn={curl:ke({comment:/(?<=^|\s)#.*/,string:/'[^']*'?|"[^"]*"?/,keyword:/(?<=\s)--?[a-zA-Z][\w-]*/,name:/^curl\b/}),http:ke({name:/^[\w-]+(?=:)/})};function ke(e){let t=Object.entries(e).map(([n,{source:o}])=>`(?<${n}>${o})`);return new RegExp(t.join("|"),"gm")}function on(e,t){let n=[],o=0;for(let{0:r,index:s,groups:a={}}of t.matchAll(nn[e]??tn)){if(r==="")continue;if(s>o)n.push({text:t.slice(o,s)});n.push({kind:Object.keys(a).find((l)=>a[l]!==void 0),text:r}),o=s+r.length}if(o<t.length)n.push({text:t.slice(o)});return n}function H(e){return`${e}/pets?limit=100`}var Te="/v1";var rt="/docs/errors";var st="/docs/search.json",it="/docs/search.js";var at="/client.tgz",Gn={deprecatedAt:new Date("2026-11-14T00:00:00Z"),removedAt:new Date("2030-12-05T00:00:00Z"),successor:"listPets",advice:`Use \`GET ${Te}/pets\` with the \`status\` filter. To read one pet, use \`after={petId - 1}&limit=1\` and compare the id: if no pet has this id, the response has the next pet.`};var lt=-(2n**63n),ut=2n**63n-1n,Jn=`must be an integer from ${lt} to ${ut}`;var rn=/^(-?)([0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?$/;function sn(e){return e>=lt&&e<=ut}function ct(e){let t=rn.exec(e);if(t===null)return;let[,n,o="",r="",s="0"]=t,a=o+r,l=0;while(a[l]==="0")l++;let d=a.length;while(d>l&&a[d-1]==="0")d--;let f=a.slice(l,d);if(f==="")return 0n;let u=Number(s)-r.length+(a.length-d);if(u<0||f.length+u>19)return;let p=BigInt(`${n}${f}${"0".repeat(u)}`);return sn(p)?p:void 0}class dt extends Error{name="JsonSyntaxError"}var _t=64,Ae=34,an=92,pt=/-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;function ft(e){let t=0;function n(p){throw new dt(`${p} at character ${t+1}`)}function o(){for(;;){let p=e.charCodeAt(t);if(p!==32&&p!==10&&p!==13&&p!==9)return;t++}}function r(p){if(!e.startsWith(p,t))return!1;return t+=p.length,!0}function s(){let p=t++;for(;;){let c=e.charCodeAt(t);if(Number.isNaN(c))n("a string has no end");if(c<32)n("a string has an unescaped control character");if(t+=c===an?2:1,c===Ae)break}try{return JSON.parse(e.slice(p,t))}catch{return n("a string has an invalid escape")}}function a(){pt.lastIndex=t;let p=pt.exec(e)?.[0];if(p===void 0)return n("expected a value");return t+=p.length,ct(p)??Number(p)}function l(p){let c=[];if(o(),r("]"))return c;do c.push(f(p));while(r(","));if(!r("]"))n('expected "," or "]"');return c}function d(p){let c=Object.create(null);if(o(),r("}"))return c;do{if(o(),e.charCodeAt(t)!==Ae)n("expected the name of a field in double quotes");let i=t,m=s();if(m in c)t=i,n("a field is repeated");if(o(),!r(":"))n('expected ":"');c[m]=f(p)}while(r(","));if(!r("}"))n('expected "," or "}"');return c}function f(p){if(p>_t)n(`values are nested deeper than ${_t} levels`);o();let c;if(e.charCodeAt(t)===Ae)c=s();else if(r("{"))c=d(p+1);else if(r("["))c=l(p+1);else if(r("true"))c=!0;else if(r("false"))c=!1;else if(r("null"))c=null;else c=a();return o(),c}let u=f(1);if(t<e.length)n("expected the end");return u}function ue(e,t){return JSON.stringify(e,(o,r)=>typeof r==="bigint"?JSON.rawJSON(String(r)):r,t)}function O({baseUrl:e,path:t,values:n}){let o=t.replace(/\{(\w+)\}/g,(s,a)=>encodeURIComponent((n.path[a]??"").toWellFormed())),r=new URLSearchParams(n.query);return`${e}${o}${r.size>0?`?${r}`:""}`}function N({values:e,otherBody:t}){return t??(e.body&&ue(e.body))}function R(e){let t=Object.entries(e.values.header);if(N(e)!==void 0)t.push(["Content-Type","application/json"]);return t}function mt(e){return`npm install ${e.slice(0,-Te.length)}${at}`}var ht={id:"curl",title:"curl",request(e){let t=N(e),n=["-i --fail-with-body",'-H "Authorization: Bearer $ANIMAL_STORE_API_KEY"',...R(e).map(([o,r])=>`-H ${Pe(`${o}: ${r}`)}`),...t===void 0?[]:[`--data-raw ${Pe(t)}`]];return[`curl -X ${e.method} ${Pe(O(e))}`,...n].join(" \\\n  ")},pageLoop:(e)=>`url='${H(e)}'
while [ -n "$url" ]; do
  curl -sS --fail-with-body -D headers.txt "$url" \\
    -H "Authorization: Bearer $ANIMAL_STORE_API_KEY" || exit 1
  url=$(sed -n 's/^[Ll]ink: <\\([^>]*\\)>; rel="next".*/\\1/p' headers.txt)
done`};function Pe(e){return`'${e.replaceAll("'","'\\''")}'`}var Y=/^-?(?:0|[1-9][0-9]*)$/,ln=/[\u007f-\u009f\u00ad\u200b\u200c\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;function P(e){return JSON.stringify(e).replace(ln,(t)=>`\\u${t.charCodeAt(0).toString(16).padStart(4,"0")}`)}function k(e){return`'${P(e).slice(1,-1).replaceAll("\\\"",'"').replaceAll("'","\\'")}'`}var ce={id:"fetch",title:"JavaScript",request(e){let t=N(e),n=R(e).map(([o,r])=>`    ${k(o)}: ${k(r)},
`);return`const response = await fetch(${k(O(e))}, {
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
}`};var gt={id:"go",title:"Go",request(e){let t=N(e),n=["fmt","io","log","net/http","os"];if(t!==void 0)n.push("strings");let o=R(e).map(([r,s])=>`	request.Header.Set(${P(r)}, ${P(s)})
`);return`package main

import (
${n.map((r)=>`	"${r}"
`).join("")})

func main() {
	request, err := http.NewRequest(
		"${e.method}",
		${P(O(e))},
		${t===void 0?"nil":`strings.NewReader(${un(t)})`},
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
}`};function un(e){let t=P(e);return/[`\r]/.test(e)||/\\u/.test(t)?t:`\`${e}\``}var yt={id:"python",title:"Python",request(e){let t=N(e),n=R(e).map(([o,r])=>`        ${P(o)}: ${P(r)},
`);return`import json
import os
import urllib.error
import urllib.request

request = urllib.request.Request(
    ${P(O(e))},
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
    url = following and following[1]`};var vt={id:"int64",name:"text",categoryId:"int64",status:"text"};var St={id:"typescript",title:"TypeScript",request(e){let t=cn[e.operation](e);if(t===void 0)return`// The client sends only pets. Other JSON needs fetch.
${ce.request(e)}`;return`${xt(e.baseUrl)}

${t}`},pageLoop:(e)=>`${xt(e)}

// Requests the next page when the loop gets there.
for await (const pet of store.pets({ pageSize: 100 })) console.log(pet);`};function xt(e){return`// ${mt(e)}
import { AnimalStore } from '@animal-store/client';

// The client reads the key from ANIMAL_STORE_API_KEY.
const store = new AnimalStore({ baseUrl: ${k(e)} });`}var cn={listPets({values:e}){return`const page = await store.listPets(${bt(e.query,(n,o)=>_n[n](o))});
console.log(page.pets);`},createPet({values:e,otherBody:t}){if(t!==void 0)return;let n=bt(e.body??{},pn),o=e.header["Idempotency-Key"],r=o===void 0?"":`, { idempotencyKey: ${k(o)} }`;return`const pet = await store.createPet(${n}${r});
console.log(pet);`},getPet:({values:e})=>`// Uses getPet until its removal, and the list afterwards.
const pet = await store.findPet(${Et(e.path.petId??"")});
console.log(pet); // undefined if there is none`},_n={limit:(e)=>Y.test(e)?e:k(e),status:k,after:Et};function Et(e){return Y.test(e)?`${e}n`:k(e)}function pn(e,t){if(typeof t==="string")return k(t);return vt[e].startsWith("int64")?`${t}n`:`${t}`}function bt(e,t){let n=Object.entries(e).map(([o,r])=>`  ${o}: ${t(o,r)},
`);return n.length===0?"":`{
${n.join("")}}`}var _e=[ht,St,ce,yt,gt];class z extends EventTarget{#t;#e;constructor(e,t){super();this.#e=Ct(()=>e().getItem(t))??"",this.#t=(n)=>Ct(()=>e().setItem(t,n))}get value(){return this.#e}set(e){this.#e=e,this.#t(e),this.dispatchEvent(new Event("change"))}}function X(e,t){let[n,o]=A(t);return j(()=>{let r=()=>o(e.value);e.addEventListener("change",r),r()},[e]),n}function Ct(e){try{return e()}catch{return}}var G=new z(()=>sessionStorage,"animal-store.key");function kt(e){let t=X(G,"");return _("form",{class:"key-field needs-script",onSubmit:(n)=>n.preventDefault(),children:[_("label",{for:"api-key",children:["API key ",_("span",{class:"note",children:"kept until the tab closes"})]}),_("input",{id:"api-key",type:"password",autocomplete:"off",placeholder:"ask_…",value:t,onInput:({currentTarget:n})=>G.set(dn(n.value))})]})}function dn(e){return e.replace(/^\s*Bearer\s|\s/gi,"")}var fn=["bad","neutral","good","info","warning","bad"];function Tt({status:e,title:t}){return _("span",{class:`badge status ${fn[Math.floor(e/100)]}`,children:t??e})}function At({outcome:e,isSending:t}){let{title:n,status:o=0,note:r,body:s,headers:a,errorCode:l}=e;return _("div",{class:"response","aria-busy":t,children:[_("p",{role:"status",class:"line",children:t?"Sending…":_(w,{children:[_(Tt,{status:o,title:n})," ",_("span",{class:"note",children:r})]})}),l!==void 0&&_("p",{class:"error-code",children:["Error"," ",_("a",{href:`.${rt}#${l}`,children:_("code",{children:l})}),": what it means and what to do"]}),s&&_(W,{language:"json",code:mn(s)}),a!==void 0&&_("details",{children:[_("summary",{children:["Headers ",_("span",{class:"note",children:a.length})]}),_(W,{language:"http",code:a.map(([d,f])=>`${d}: ${f}`).join(`
`)})]})]})}function mn(e){try{return ue(ft(e),2)}catch{return e}}var hn=/#(\w+)>; rel="help"/,gn=/[?&]after=(-?\d+)[^>]*>; rel="next"/;function Pt(e){let[t,n]=A(e),[o,r]=A(!1),s=le(void 0);return{outcome:t,isSending:o,sendOrCancel:async(l)=>{if(s.current!==void 0)return s.current.abort();s.current=new AbortController,r(!0),n(await yn(l,s.current.signal)),r(!1),s.current=void 0}}}async function yn(e,t){let{method:n}=e,o=R(e);if(G.value!=="")o.push(["Authorization",`Bearer ${G.value}`]);let r=performance.now();if(o.some(([,s])=>/[^\x20-\x7e]/.test(s)))return{title:"Not sent",note:vn};try{let s=await fetch(O(e),{method:n,headers:o,signal:t,body:N(e)??null,cache:"no-store",credentials:"omit"});return await bn(s,r)}catch(s){if(!t.aborted)return{title:"No response",note:`${xn} ${s}`};return{title:"Canceled",note:n==="GET"?"":"The service may have processed the request already."}}}var vn="A header may contain only ASCII characters. Check your API key.",xn="The service cannot be reached from this page. Check your connection and the headers.";async function bn(e,t){let{status:n,statusText:o,headers:r}=e,s=await e.text(),a=r.get("Link")??"";return{title:`${n} ${o}`.trim(),status:n,note:`${Math.round(performance.now()-t)} ms${Sn(r)}`,body:s,headers:[...r],nextAfter:gn.exec(a)?.[1],errorCode:hn.exec(a)?.[1]}}function Sn(e){let[t,n,o]=["Limit","Remaining","Reset"].map((s)=>e.get(`X-RateLimit-${s}`));if(!o)return"";let r=new Date(Number(o)*1000).toLocaleTimeString("en-GB");return`, ${n} of ${t} requests left until ${r}`}function Ot({id:e,request:t,example:n}){let o=le(null),[r,s]=A(t),{outcome:a,isSending:l,sendOrCancel:d}=Pt(n),f=X(G,"rendered")!=="",{nextAfter:u}=a;j(()=>{let c=o.current?.closest("form");if(!c)return;let i=()=>s(Nt(c,t));c.addEventListener("input",i),c.addEventListener("submit",(m)=>{m.preventDefault(),i(),d(Nt(c,t))}),i()},[]);let p=()=>{let c=o.current?.closest("form"),i=c?.querySelector("[name=after]");if(!c||!i)return;i.value=u??"",c.requestSubmit()};return _("div",{class:"panel",ref:o,children:[_(Lt,{codeOf:(c)=>c.request(r)}),_("div",{class:"line send needs-script",children:[_("button",{type:"submit",onClick:(c)=>c.detail>1&&c.preventDefault(),children:[l?"Cancel":"Send",_("span",{class:"hidden",children:[" ",r.operation]})]}),f||_("a",{href:"#api-key",children:"Enter your API key"})]}),_(At,{outcome:a,isSending:l}),e===r.operation&&u!==void 0&&_("p",{children:_("button",{type:"button",class:"secondary",onClick:p,children:"Next page"})})]})}function Rt({baseUrl:e}){let[t,n]=A(e);return j(()=>n(It()),[]),_("div",{class:"panel",children:_(Lt,{codeOf:(o)=>o.pageLoop(t)})})}var wt=new z(()=>localStorage,"animal-store.language");function Lt({codeOf:e}){let t=X(wt,""),n=_e.find(({id:o})=>o===t)??_e[0];return _(w,{children:[_("div",{class:"line needs-script",children:[_("select",{"aria-label":"Language",value:n.id,onChange:({currentTarget:o})=>wt.set(o.value),children:_e.map(({id:o,title:r})=>_("option",{value:o,children:r},o))}),_(ot,{})]}),_(W,{language:n.id,code:e(n)})]})}function Nt(e,t){let n=structuredClone(t.values);for(let{name:r,value:s,inputMode:a,dataset:l}of e.querySelectorAll("[data-place]")){let d=n[l.place]??{},f=s.trim(),u=d===n.body,p=u&&a==="numeric"&&Y.test(f),c=u&&l.type==="boolean";if(d[r]=p?BigInt(f):c?f==="true":f,f==="")delete d[r]}let o=e.querySelector("details[open] textarea")?.value.toWellFormed()||void 0;return{...t,baseUrl:It(),values:n,otherBody:o}}function It(){return new URL("./v1",location.href).href}function $t({root:e}){let[t,n]=A(""),[o,r]=A(),[s,a]=A("Loading…");j(Tn,[]);let l=async()=>{try{let u=o??await kn(e);r(()=>u)}catch{a("Search is not available. Reload the page to try again.")}},d=o?.(t)??[],f=()=>{n(""),document.activeElement.blur()};return _("search",{class:"search needs-script",onKeyDown:(u)=>u.key==="Escape"?f():En(u),children:[_("input",{id:"search",type:"search","aria-label":"Search the documentation","aria-keyshortcuts":"/",placeholder:"Type / to search",autocomplete:"off",spellcheck:!1,value:t,onInput:({currentTarget:u})=>n(u.value),onFocus:l}),_("div",{class:"search-list",hidden:t==="",children:[d.map(({title:u,place:p,text:c,href:i})=>_("a",{href:e+i,tabIndex:0,onClick:f,children:[_("b",{children:u}),_("span",{class:"note",children:p}),_("span",{class:"search-text note",children:c})]},i)),_("p",{role:"status",class:"note",children:o===void 0?s:Cn(d)})]})]})}function En(e){let t=[...e.currentTarget.querySelectorAll("input, a")],n=t.indexOf(e.target);if(e.key==="ArrowDown")t[(n+1)%t.length]?.focus();else if(e.key==="ArrowUp")t.at(n-1)?.focus();else if(e.key==="Enter"&&n===0)t[1]?.click();else return;e.preventDefault()}function Cn({length:e}){return e===1?"1 result":`${e||"No"} results`}async function kn(e){let t=(r)=>new URL(e+r.slice(1),location.href).href,[{newSearch:n},o]=await Promise.all([import(t(it)),fetch(t(st))]);return n(await o.json())}function Tn(){document.addEventListener("keydown",(e)=>{let{key:t,ctrlKey:n,metaKey:o,altKey:r,target:s}=e;if(t!=="/"||n||o||r)return;if(s instanceof Element&&s.matches("input, select, textarea"))return;e.preventDefault(),document.getElementById("search")?.focus()})}var An={"code-panel":Ot,"loop-panel":Rt,"key-field":kt,"search-box":$t};function Mt(){for(let e of document.querySelectorAll("[data-island]")){let{island:t,props:n="{}"}=e.dataset,o=An[t];Ge(_(o,{...JSON.parse(n)}),e)}}function Dt(e){let t=new Map,n=new IntersectionObserver((o)=>{for(let{target:r,isIntersecting:s}of o){let a=t.get(r);if(a?.removeAttribute("aria-current"),a===void 0||!s)continue;a.setAttribute("aria-current","location"),Pn(e,a)}},{rootMargin:"-20% 0px -80%"});for(let o of e.querySelectorAll("li a")){let r=document.getElementById(o.hash.slice(1));if(r===null||o.pathname!==location.pathname)continue;t.set(r,o),n.observe(r)}}function Pn(e,t){let n=e.getBoundingClientRect(),o=t.getBoundingClientRect().top-(n.top+n.height/2);if(Math.abs(o)>n.height/4)e.scrollTop+=o}function Ht(e){e.addEventListener("click",({target:t})=>{if(t instanceof Element&&t.closest("a")!==null&&e.matches(":popover-open"))e.hidePopover()})}var wn=2000;Mt();Nn();var we=document.getElementById("navigation");if(we!==null)Dt(we),Ht(we);function Nn(){document.addEventListener("click",async({target:e})=>{let t=e instanceof Element?e.closest(".copy"):null,n=t?.closest(":has(pre)")?.querySelector("pre"),o=t?.firstChild;if(!n||!o)return;await On(n),o.nodeValue="Copied",setTimeout(()=>{o.nodeValue="Copy"},wn)})}async function On(e){try{await navigator.clipboard.writeText(e.innerText)}catch{getSelection()?.selectAllChildren(e),document.execCommand("copy")}}
